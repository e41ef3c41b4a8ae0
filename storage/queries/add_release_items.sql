-- Which candidates does this release publish?
INSERT INTO release_items
SELECT $id, item, item_key(item)
FROM (SELECT unnest($items::VARCHAR[]) AS item);
