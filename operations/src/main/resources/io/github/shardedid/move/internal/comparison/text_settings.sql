-- Settings of the transaction under which equal rows have equal texts, and rows are found by an index. Parameter: the search path.
SELECT set_config(name, value, true) FROM (VALUES ('search_path', ?), ('datestyle', 'ISO, YMD'),
  ('intervalstyle', 'postgres'), ('timezone', 'UTC'), ('extra_float_digits', '1'), ('bytea_output', 'hex'),
  ('lc_monetary', 'C'), ('quote_all_identifiers', 'off'), ('row_security', 'off'), ('jit', 'off'),
  ('enable_seqscan', 'off'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'), ('enable_sort', 'off'),
  ('statement_timeout', '0'), ('idle_in_transaction_session_timeout', '0')) settings (name, value)
