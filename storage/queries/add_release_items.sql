-- Which candidates does this release publish?
INSERT INTO edges
SELECT $id, item_key($id), 'publishes', item, item_key(item)
FROM (SELECT unnest($items::VARCHAR[]) AS item);
