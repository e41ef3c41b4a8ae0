-- Which items is a build to have, one row each?
CREATE TEMP TABLE staged_items AS
SELECT unnest($ids::VARCHAR[]) AS item_id, unnest($subtypes::VARCHAR[]) AS subtype, unnest($ranks::UINTEGER[]) AS rank;
