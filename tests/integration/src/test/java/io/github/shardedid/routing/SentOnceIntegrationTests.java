package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Failures that look as if the shard had moved, beside those of the driver's own connection. */
class SentOnceIntegrationTests {
    private static final String OBJECTS =
            """
            CREATE TABLE public.attempt (at int);
            CREATE PROCEDURE %1$s.stepping() LANGUAGE plpgsql AS $$
            BEGIN
              INSERT INTO public.attempt VALUES (1); COMMIT; INSERT INTO public.missing VALUES (1);
            END $$;
            CREATE PROCEDURE %1$s.committing() LANGUAGE plpgsql AS $$
            BEGIN INSERT INTO public.attempt VALUES (1); COMMIT; END $$;
            CREATE FUNCTION %1$s.lacking(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
            BEGIN PERFORM 1 FROM public.missing; RETURN 1; END $$;
            """;

    private TwoDatabases databases;

    @BeforeEach
    void create() {
        databases = new TwoDatabases();
        databases.pg1.execute(OBJECTS.formatted("shard_0000"));
    }

    @AfterEach
    void close() {
        databases.close();
    }

    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    private static Work plain(String... texts) {
        return connection -> {
            try (Statement statement = connection.createStatement()) {
                if (texts.length == 1) {
                    statement.execute(texts[0]);
                } else {
                    for (String text : texts) {
                        statement.addBatch(text);
                    }
                    statement.executeBatch();
                }
            }
        };
    }

    private static Work prepared(String text) {
        return connection -> {
            try (PreparedStatement statement = connection.prepareStatement(text)) {
                statement.execute();
            }
        };
    }

    /** In autocommit: the state of the failure, and how many attempts were committed. */
    @Test
    void whatMayHaveCommittedIsNotSentAgain() throws SQLException {
        String block =
                """
                DO $$ BEGIN
                  INSERT INTO public.attempt VALUES (1); %s; PERFORM 1 FROM public.missing;
                END $$""";
        List<Work> all = List.of(
                plain("CALL stepping()"),
                prepared("CALL stepping()"),
                connection -> {
                    try (CallableStatement call = connection.prepareCall("call stepping()")) {
                        call.execute();
                    }
                },
                plain(block.formatted("COMMIT")),
                prepared(block.formatted("CALL shard_0000.committing()")),
                plain(
                        "DO E'BEGIN INSERT INTO public.attempt VALUES (1); COM\\x4dIT; PERFORM 1 FROM public.missing; END'"),
                plain("CALL committing(); SELECT * FROM missing"),
                plain("CALL committing(); SELECT missing()"),
                plain("CALL committing()", "INSERT INTO missing VALUES (1)"),
                plain("INSERT INTO public.attempt VALUES (1)", "CALL committing()", "SELECT 1::missing"),
                plain("CREATE INDEX CONCURRENTLY half ON photo (lacking(id::int))"));
        for (int i = 0; i < all.size(); i++) {
            List<List<Object>> results = onBoth(all.get(i), true);
            assertThat(results.get(1)).as("no. " + i).isEqualTo(results.get(0));
        }
    }

    /** In a transaction that has locked something there before, right after the start. */
    @Test
    void aWrongNameIsNotAMove() throws SQLException {
        for (String sql : List.of(
                "SELECT q.id FROM photo p",
                "SELECT 1 FROM missing",
                "SELECT 1 FROM no_schema.missing",
                "CREATE TABLE no_schema.x (id int)",
                "SELECT missing(1)",
                "SELECT 1::missing",
                "DROP TYPE missing",
                "SELECT lacking(1)",
                "CALL stepping()")) {
            Work work = connection -> {
                plain("SELECT id FROM photo FOR UPDATE").on(connection);
                plain(sql).on(connection);
            };
            List<List<Object>> results = onBoth(work, false);
            assertThat(results.get(1)).as(sql).isEqualTo(results.get(0));
        }
    }

    private List<List<Object>> onBoth(Work work, boolean autoCommit) throws SQLException {
        List<List<Object>> results = new ArrayList<>();
        try (Connection plain = databases.pg1.connect();
                Statement path = plain.createStatement()) {
            path.execute("SET search_path = shard_0000, public");
            results.add(result(plain, work, autoCommit));
        }
        try (Connection routed = databases.routed.getConnection();
                ShardContext.Scope scope = ShardContext.open(0)) {
            results.add(result(routed, work, autoCommit));
        }
        return results;
    }

    private List<Object> result(Connection connection, Work work, boolean autoCommit) throws SQLException {
        databases.pg1.execute("TRUNCATE public.attempt; DROP INDEX IF EXISTS shard_0000.half");
        connection.setAutoCommit(autoCommit);
        String state = "";
        try {
            work.on(connection);
        } catch (SQLException e) {
            state = e.getSQLState() + (e instanceof ShardMovedException ? " moved" : "");
        } finally {
            if (!autoCommit) {
                connection.rollback();
            }
        }
        return List.of(state, databases.pg1.queryLong("SELECT count(*) FROM public.attempt"));
    }
}
