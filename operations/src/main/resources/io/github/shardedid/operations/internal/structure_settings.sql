-- Names of the schema are read without it, and without quotes where they need none.
SET LOCAL search_path = %1$s;
SET LOCAL quote_all_identifiers = off;
SET LOCAL jit = off
