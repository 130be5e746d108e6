-- The roles of the cluster that are not its owner, each with no more than it needs: the table sharded_id.role names them.

-- Grants what is missing: in schema sharded_id and in those of all shards that are not being moved, which are compared then; or in one
-- schema alone. Tables that later migrations make there are granted when they are made. To be called as the owner.
CREATE OR REPLACE FUNCTION sharded_id.grant_roles(only_in name DEFAULT NULL) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  schemas oid[];
  one record;
  statement text;
BEGIN
  IF NOT EXISTS (SELECT FROM sharded_id.role) THEN
    RETURN;
  END IF;
  IF only_in IS NULL THEN
    PERFORM sharded_id.grant_cluster();
    schemas := ARRAY(SELECT n.oid FROM sharded_id.shard s
      JOIN pg_namespace n ON n.nspname = ('shard_' || lpad(s.shard::text, greatest(4, length(s.shard::text)), '0'))::name
      WHERE s.state = 'ACTIVE');
  ELSE
    schemas := ARRAY[only_in::text::regnamespace::oid];
  END IF;
  FOR one IN SELECT format('IN SCHEMA %I GRANT SELECT', n.nspname) AS tables, format('IN SCHEMA %I', n.nspname) AS there,
                    n.oid, n.nspname, quote_ident(r.name) AS name, r.purpose = 'application' AS writes
             FROM pg_namespace n, sharded_id.role r
             WHERE n.oid = ANY (schemas) AND r.purpose IN ('application', 'reader')
               AND NOT EXISTS (SELECT FROM pg_default_acl d, aclexplode(d.defaclacl) a WHERE d.defaclnamespace = n.oid
                 AND pg_get_userbyid(d.defaclrole) = current_user AND d.defaclobjtype = 'r'
                 AND a.grantee = quote_ident(r.name)::regrole) LOOP
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO %s', one.nspname, one.name);
    EXECUTE format('ALTER DEFAULT PRIVILEGES %s%s ON TABLES TO %s', one.tables,
                   CASE WHEN one.writes THEN ', INSERT, UPDATE, DELETE' ELSE '' END, one.name);
    IF one.writes THEN
      EXECUTE format('ALTER DEFAULT PRIVILEGES %s GRANT USAGE, SELECT, UPDATE ON SEQUENCES TO %s', one.there, one.name);
    END IF;
  END LOOP;
  -- Neither the leases, which are written by functions, nor what extensions have brought. A history of migrations is only read; one that
  -- the application itself has created in the global schema is its own. By pg_depend, because pg_class has no index on the schema.
  FOR statement IN
    SELECT CASE WHEN c.relkind <> 'S' THEN format('GRANT SELECT%s ON %s TO %I', CASE WHEN r.purpose = 'application'
             AND NOT h.history THEN ', INSERT, UPDATE, DELETE' ELSE '' END, c.oid::regclass, r.name)
           ELSE format('GRANT USAGE, SELECT, UPDATE ON SEQUENCE %s TO %I', c.oid::regclass, r.name) END
    FROM unnest(schemas) n
    JOIN pg_depend d ON d.refclassid = 'pg_namespace'::regclass AND d.refobjid = n AND d.classid = 'pg_class'::regclass
    JOIN pg_class c ON c.oid = d.objid AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
    CROSS JOIN LATERAL (SELECT c.relname IN ('flyway_schema_history', 'databasechangelog') AS history) h
    JOIN sharded_id.role r ON r.purpose = 'application' OR r.purpose = 'reader' AND c.relkind <> 'S'
    WHERE c.relname <> 'sharded_id_lease' AND pg_has_role(c.relowner, 'USAGE')
      AND NOT EXISTS (SELECT FROM pg_depend e WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid AND e.deptype = 'e')
      AND NOT CASE WHEN c.relkind = 'S' THEN has_sequence_privilege(r.name, c.oid, 'USAGE')
                AND has_sequence_privilege(r.name, c.oid, 'SELECT') AND has_sequence_privilege(r.name, c.oid, 'UPDATE')
              ELSE has_table_privilege(r.name, c.oid, 'SELECT') AND (r.purpose = 'reader'
                OR h.history OR has_table_privilege(r.name, c.oid, 'INSERT')
                AND has_table_privilege(r.name, c.oid, 'UPDATE') AND has_table_privilege(r.name, c.oid, 'DELETE')) END
    UNION ALL  -- what the default privileges have given too much
    SELECT format('REVOKE INSERT, UPDATE, DELETE ON %s FROM %I', c.oid::regclass, r.name)
    FROM unnest(schemas) n
    JOIN pg_depend d ON d.refclassid = 'pg_namespace'::regclass AND d.refobjid = n AND d.classid = 'pg_class'::regclass
    JOIN pg_class c ON c.oid = d.objid AND pg_has_role(c.relowner, 'USAGE')
    CROSS JOIN LATERAL (SELECT c.relname IN ('flyway_schema_history', 'databasechangelog') AS history) h
    JOIN sharded_id.role r ON r.purpose = 'application' AND quote_ident(r.name)::regrole <> c.relowner
    WHERE h.history AND has_table_privilege(r.name, c.oid, 'INSERT') LOOP
    EXECUTE statement;
  END LOOP;
END
$body$;

-- What the roles need of schema sharded_id; and that of the role that moves shards, which nobody but the owner's administrator can
-- make a member of the owner.
CREATE OR REPLACE FUNCTION sharded_id.grant_cluster() RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
  one record;
  owner name := (SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'sharded_id');
BEGIN
  FOR one IN SELECT r.purpose, r.name FROM sharded_id.role r LOOP
    EXECUTE format('GRANT SELECT ON sharded_id.cluster, sharded_id.shard, sharded_id.move, sharded_id.standing_order%s TO %I',
      CASE WHEN to_regclass('sharded_id.global_schema') IS NOT NULL THEN ', sharded_id.global_schema' ELSE '' END, one.name);
    IF one.purpose = 'application' THEN
      PERFORM sharded_id.grant_writing(quote_ident(one.name));
    ELSIF one.purpose = 'mover' THEN
      IF NOT pg_has_role(one.name, owner, 'MEMBER') THEN
        RAISE EXCEPTION 'role % is to move shards, but is no member of their owner: run GRANT % TO %',
          quote_ident(one.name), quote_ident(owner), quote_ident(one.name) USING ERRCODE = 'insufficient_privilege';
      END IF;
      IF NOT has_database_privilege(one.name, current_database(), 'CREATE') THEN
        EXECUTE format('GRANT CREATE ON DATABASE %I TO %I', current_database(), one.name);
      END IF;
    END IF;
  END LOOP;
END
$body$;

-- What making ids needs of schema sharded_id. role: as SQL writes it
CREATE OR REPLACE FUNCTION sharded_id.grant_writing(role text) RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  EXECUTE format('GRANT SELECT ON SEQUENCE sharded_id.lock_secret TO %s', role);
  EXECUTE format('GRANT EXECUTE ON FUNCTION sharded_id.next_id, sharded_id.hop, sharded_id.hop_from, sharded_id.next_ids,'
    ' sharded_id.ids_of, sharded_id.next_id_block, sharded_id.next_ids_after, sharded_id.lock_number, sharded_id.readable,'
    ' sharded_id.refuse, sharded_id.lease_node, sharded_id.release_node, sharded_id.claimant_transaction, sharded_id.claim_unique,'
    ' sharded_id.take_claim, sharded_id.has_claimant_ended TO %s', role);
END
$body$;

-- Everybody may decode ids; generating them needs a grant. What is called here and there as the owner, too.
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA sharded_id FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sharded_id.encode(bigint, int, int), sharded_id.timestamp_of(timestamptz), sharded_id.decode(bigint),
  sharded_id.shard_of(bigint), sharded_id.refuse_id(bigint), sharded_id.shard_of_key(bigint), sharded_id.shard_of_key(text),
  sharded_id.shard_of_key(uuid) TO PUBLIC;
