-- Records a run. Parameters: kind, fingerprint, versioned scripts.
INSERT INTO sharded_id.run (kind, fingerprint, versioned) VALUES (?, ?, ?) ON CONFLICT (kind, fingerprint) DO UPDATE SET versioned =
  excluded.versioned, started = clock_timestamp()
