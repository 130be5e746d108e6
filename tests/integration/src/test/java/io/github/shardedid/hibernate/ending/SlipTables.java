package io.github.shardedid.hibernate.ending;

import io.github.shardedid.test.TestDatabase;
import java.util.List;

/** The tables of a schema, with constraints and triggers that refuse rows at once, at the commit, or without saying so. */
record SlipTables(TestDatabase database, String schema) {
    private static final String SCRIPT =
            """
            CREATE TABLE $.slip (id bigint PRIMARY KEY, version int NOT NULL, title text NOT NULL UNIQUE, word text,
                UNIQUE (word) DEFERRABLE INITIALLY DEFERRED);
            CREATE TABLE $.audit (what text);
            CREATE FUNCTION $.watch_row() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $body$ BEGIN
                INSERT INTO $.audit VALUES ('row of ' || TG_OP);
                IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
                IF NEW.title LIKE 'refused%' THEN RAISE EXCEPTION 'refused'; END IF;
                IF NEW.title LIKE 'swallowed%' THEN RETURN NULL; END IF;
                RETURN NEW; END $body$;
            CREATE TRIGGER watch_row BEFORE INSERT OR UPDATE OR DELETE ON $.slip FOR EACH ROW EXECUTE FUNCTION $.watch_row();
            CREATE FUNCTION $.watch_statement() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $body$ BEGIN
                INSERT INTO $.audit VALUES ('statement ' || TG_OP); RETURN NULL; END $body$;
            CREATE TRIGGER watch_statement AFTER INSERT OR UPDATE OR DELETE ON $.slip FOR EACH STATEMENT
                EXECUTE FUNCTION $.watch_statement();
            CREATE FUNCTION $.watch_commit() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $body$ BEGIN
                IF NEW.title LIKE 'late%' THEN RAISE EXCEPTION 'too late' USING ERRCODE = 'P0004'; END IF;
                RETURN NULL; END $body$;
            CREATE CONSTRAINT TRIGGER watch_commit AFTER INSERT OR UPDATE ON $.slip DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION $.watch_commit();
            """;

    SlipTables create() {
        execute(SCRIPT);
        return this;
    }

    void execute(String sql) {
        database.execute(sql.replace("$.", schema + "."));
    }

    List<String> query(String sql) {
        return database.query(sql.replace("$.", schema + "."));
    }

    List<String> contents() {
        return query("SELECT title || ' ' || word || ' ' || version FROM $.slip ORDER BY 1");
    }

    List<String> audit() {
        return query("SELECT what || ' ' || count(*) FROM $.audit GROUP BY what ORDER BY 1");
    }
}
