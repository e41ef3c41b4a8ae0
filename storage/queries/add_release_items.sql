-- Which candidates does this release publish?
INSERT INTO edges
SELECT $id, 'publishes', item, item_key(item)
FROM (SELECT unnest($items::VARCHAR[]) AS item);
