-- Executes a statement with a connection string, which is in a setting, so that a failure shows neither in the log of the server. A cancel,
-- as by statement_timeout, is none of the others. That the other server is not reached has another SQL state than that this one is not,
-- after which pools close the connection.
DO $subscribe$
DECLARE
  state text;
  message text;
  detail text;
  hint text;
BEGIN
  EXECUTE pg_catalog.concat(%s, ' CONNECTION ',
    pg_catalog.quote_literal(pg_catalog.current_setting('sharded_id.connection')), ' ', %s);
EXCEPTION WHEN query_canceled OR OTHERS THEN
  GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
    hint = PG_EXCEPTION_HINT;
  IF state LIKE '08%%' THEN
    state := 'HV00N';
  END IF;
  RAISE EXCEPTION USING ERRCODE = state, MESSAGE = message, DETAIL = detail, HINT = hint;
END
$subscribe$
