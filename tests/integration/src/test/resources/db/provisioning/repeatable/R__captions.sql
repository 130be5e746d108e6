CREATE OR REPLACE VIEW captions AS SELECT id, '${greeting}' || caption AS caption FROM photo;
