INSERT INTO log VALUES ('migrated');
