-- Whether scripts have run in a schema that cannot be repeated.
SELECT EXISTS (SELECT FROM %1$s.flyway_schema_history WHERE type NOT IN ('SQL', 'BASELINE', 'DELETE') OR concat(script, description) LIKE
  '%%%1$s%%')
