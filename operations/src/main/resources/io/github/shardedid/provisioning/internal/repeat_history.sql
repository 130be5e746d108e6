-- The rows of the first history that the second one lacks.
INSERT INTO %2$s.flyway_schema_history SELECT * FROM %1$s.flyway_schema_history WHERE installed_rank > (SELECT
  coalesce(max(installed_rank), 0) FROM %2$s.flyway_schema_history)
