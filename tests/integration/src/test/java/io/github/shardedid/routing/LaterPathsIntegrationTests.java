package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a statement leaves to be run later in its transaction, when statements of another shard have used the same session. */
@Tag("quick")
class LaterPathsIntegrationTests {
    private static final String COMMON =
            """
            CREATE FUNCTION public.log_late() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              INSERT INTO late VALUES (TG_TABLE_SCHEMA);
              RETURN NULL;
            END $$;
            CREATE FUNCTION public.whose() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
            BEGIN
              RETURN (SELECT schema FROM own);
            END $$;
            CREATE FUNCTION public.many() RETURNS refcursor LANGUAGE plpgsql AS $$
            DECLARE
              c refcursor;
            BEGIN
              OPEN c FOR SELECT whose() FROM generate_series(1, 5);
              RETURN c;
            END $$;
            """;
    private static final String PER_SHARD =
            """
            CREATE TABLE %1$s.late (schema text);
            CREATE TABLE %1$s.own (schema text);
            INSERT INTO %1$s.own VALUES ('%1$s');
            CREATE TABLE %1$s.deferring (id int);
            CREATE CONSTRAINT TRIGGER late AFTER INSERT ON %1$s.deferring DEFERRABLE INITIALLY DEFERRED
              FOR EACH ROW EXECUTE FUNCTION public.log_late();
            """;
    private static final String OTHER = "SELECT caption FROM photo";

    private NamesCluster cluster;

    @BeforeEach
    void start() {
        cluster = new NamesCluster();
        cluster.home(0).execute(COMMON);
        for (int shard = 0; shard < 2; shard++) {
            cluster.home(shard).execute(PER_SHARD.formatted(ShardSchema.nameOf(shard)));
        }
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private Connection transaction() throws SQLException {
        Connection connection = cluster.routed().getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    @ParameterizedTest
    @ValueSource(strings = {"INSERT INTO sharded_id_shard.deferring VALUES (1)", "INSERT INTO deferring VALUES (1)"})
    void deferredTriggersRunUnderThePathOfTheShardThatWasWrittenTo(String insert) throws SQLException {
        try (Connection connection = transaction()) {
            NamesCluster.execute(connection, 0, insert);
            NamesCluster.query(connection, 1, OTHER);
            connection.commit();
        }
        assertThat(cluster.inside(0, "SELECT count(*) FROM {h}late WHERE schema = 'shard_0000'"))
                .isOne();
        assertThat(cluster.inside(1, "SELECT count(*) FROM {h}late")).isZero();
    }

    @Test
    void constraintsAreSetByTheShardThatIsWrittenToOnly() throws SQLException {
        try (Connection connection = transaction()) {
            NamesCluster.execute(connection, 0, "INSERT INTO deferring VALUES (1)");
            NamesCluster.query(connection, 1, OTHER);
            assertThatThrownBy(() -> NamesCluster.execute(connection, 1, "SET CONSTRAINTS ALL IMMEDIATE"))
                    .isInstanceOf(SecondWriteShardException.class);
            connection.rollback();
        }
    }

    @Test
    void aResultThatIsReadBitByBit() throws SQLException {
        try (Connection connection = transaction();
                ShardContext.Scope scope = ShardContext.open(0);
                PreparedStatement select =
                        connection.prepareStatement("SELECT whose() FROM tag, generate_series(1, 9)")) {
            select.setFetchSize(2);
            try (ResultSet rows = select.executeQuery()) {
                rows.next();
                assertThatThrownBy(() -> NamesCluster.query(connection, 1, OTHER))
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("cursor opened for another shard")
                        .hasMessageContaining("shard_0001");
                for (int i = 1; i < 18; i++) {
                    assertThat(rows.next()).isTrue();
                    assertThat(rows.getString(1)).isEqualTo("shard_0000");
                }
            }
            assertThat(NamesCluster.query(connection, 1, OTHER)).containsExactly("of shard_0001");
        }
    }

    @Test
    void aCursorOfAFunction() throws SQLException {
        try (Connection connection = transaction();
                ShardContext.Scope scope = ShardContext.open(0);
                PreparedStatement select = connection.prepareStatement("SELECT many()");
                ResultSet row = select.executeQuery()) {
            row.next();
            NamesCluster.query(connection, 0, OTHER);
            assertThatThrownBy(() -> NamesCluster.query(connection, 1, OTHER)).hasMessageContaining("cursor");
        }
    }

    @Test
    void withoutCursorsEachShardIsAskedInTurn() throws SQLException {
        try (Connection connection = transaction()) {
            for (int i = 0; i < 4; i++) {
                assertThat(NamesCluster.query(connection, i % 2, "SELECT whose()"))
                        .containsExactly(ShardSchema.nameOf(i % 2));
            }
            connection.commit();
        }
    }
}
