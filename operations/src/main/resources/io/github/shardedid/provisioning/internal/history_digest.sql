-- A digest of the history of a schema.
SELECT md5(string_agg(concat_ws('|', installed_rank, version, description, type, script, checksum, success), E'\n'
  ORDER BY installed_rank)) FROM %s.flyway_schema_history
