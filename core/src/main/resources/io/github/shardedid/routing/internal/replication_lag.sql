SELECT r.database,
  CASE WHEN s.confirmed_flush_lsn IS NULL
      OR NOT s.active AND s.confirmed_flush_lsn < log.upto
      OR EXISTS (SELECT FROM pg_catalog.pg_trigger t
        WHERE t.tgname = 'sharded_id_original'
          AND NOT EXISTS (SELECT FROM pg_catalog.pg_publication_rel r
            JOIN pg_catalog.pg_publication p ON p.oid = r.prpubid
            WHERE r.prrelid = t.tgrelid AND p.pubname = 'sharded_id_global'
              AND p.pubinsert AND p.pubupdate AND p.pubdelete AND r.prqual IS NULL AND r.prattrs IS NULL))
    THEN -1 ELSE greatest(0, log.upto - s.confirmed_flush_lsn) END
FROM sharded_id.replicated r
CROSS JOIN (SELECT cast(? AS pg_catalog.pg_lsn)) log (upto)
LEFT JOIN pg_catalog.pg_replication_slots s ON s.slot_name = r.slot_name AND s.wal_status <> 'lost'
