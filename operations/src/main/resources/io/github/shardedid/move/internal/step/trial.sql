CREATE SCHEMA sharded_id_trial;
CREATE TABLE sharded_id_trial.child (id bigint PRIMARY KEY);
CREATE TRIGGER refuse BEFORE INSERT ON sharded_id_trial.child FOR EACH STATEMENT EXECUTE FUNCTION sharded_id.refuse_write();
DROP TRIGGER refuse ON sharded_id_trial.child;
CREATE PUBLICATION sharded_id_trial FOR TABLE sharded_id_trial.child;
DROP PUBLICATION sharded_id_trial;
ALTER SCHEMA sharded_id_trial RENAME TO sharded_id_trial_fenced;
DROP SCHEMA sharded_id_trial_fenced CASCADE
