package io.github.shardedid.hibernate;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.WrongShardException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hibernate.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that would write an id of another shard than the one they go to: PostgreSQL refuses them, and the exception says why. */
@Tag("quick")
class MisplacedIdsIntegrationTests {
    private static HibernateCluster cluster;
    private static Author here;
    private static Author elsewhere;

    @BeforeAll
    static void start() {
        cluster = new HibernateCluster();
        here = cluster.authorIn(2);
        elsewhere = cluster.authorIn(3);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void nothingIsWrittenAndNoConnectionIsLeaked() {
        for (int shard = 0; shard < HibernateCluster.SHARDS; shard++) {
            assertThat(count(shard)).as("authors of shard %s", shard).isEqualTo(shard == 2 || shard == 3 ? 1 : 0);
        }
        assertThat(cluster.databases.activeConnections()).isZero();
    }

    private static int count(int shard) {
        return ShardContext.call(
                shard,
                () -> cluster.fromTransaction(session -> session.createNativeQuery(
                                "select count(*)::int from {h-schema}author", Integer.class)
                        .getSingleResult()));
    }

    private static long idOf(Author author) {
        return requireNonNull(author.id);
    }

    /** An id of the same shard as another one, which no row has. */
    private static long besides(Author author) {
        return idOf(author) + 1;
    }

    private static void refuses(ThrowingCallable work) {
        assertThatExceptionOfType(WrongShardException.class)
                .isThrownBy(work)
                .withMessageContaining("id of a row of shard_0002.author")
                .withMessageContaining("shard 2 on database pg1")
                .withMessageContaining(String.valueOf(besides(elsewhere)))
                .withMessageContaining("ShardContext.run")
                .withCauseInstanceOf(SQLException.class);
    }

    /** Its form does not say whether its condition is about the id. */
    @Test
    void aMergeIsRefusedBeforeItIsSent() {
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> ShardContext.run(
                        2,
                        () -> cluster.inTransaction(session -> session.createNativeMutationQuery(
                                        "merge into {h-schema}author a using (values (1)) v on false when not matched then"
                                                + " insert (id, version, name) values (:id, 0, 'x')")
                                .setParameter("id", besides(elsewhere))
                                .executeUpdate())))
                .withMessageContaining(String.valueOf(besides(elsewhere)))
                .withMessageContaining("shard 2");
    }

    /** An id that is a value of its own names the shard of the statement. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into {h-schema}author (id, version, name) values (:id, 0, 'x')",
                "insert into author (name, version, id) select 'x', 0, :id",
                "with a as (insert into {h-schema}author (id, version, name) values (:id, 0, 'x') returning id) insert into"
                        + " {h-schema}author (id, version, name) select a.id, 0, 'y' from a",
                "update {h-schema}author set id = :id",
                "insert into {h-schema}author values (:id, 0, 'x')",
                "insert into {h-schema}author (id, version, name) select n, 0, 'x' from unnest(array[:id]) n",
                "insert into {h-schema}author (id, name) values (coalesce(:id, 0), 'x')",
                "insert into {h-schema}author select a.id, 0, 'x' from {h-schema}author a on conflict (id) do update set id = :id",
            })
    void nativeParameters(String sql) {
        refuses(() -> ShardContext.run(
                2,
                () -> cluster.inTransaction(session -> session.createNativeMutationQuery(sql)
                        .setParameter("id", besides(elsewhere))
                        .executeUpdate())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into author (id, version, name) values (%d, 0, 'x')",
                "insert into {h-schema}author (id, version, name) values ('%d', 0, 'x')",
                "update {h-schema}author set id = %d",
            })
    void literals(String sql) {
        refuses(() -> ShardContext.run(
                2,
                () -> cluster.inTransaction(
                        session -> session.createNativeMutationQuery(sql.formatted(besides(elsewhere)))
                                .executeUpdate())));
    }

    @Test
    void statementsOfJdbc() {
        String sql = "insert into author (id, version, name) values (?, 0, 'x')";
        refuses(() -> ShardContext.run(
                2,
                () -> cluster.inTransaction(session -> session.doWork(connection -> {
                    try (PreparedStatement insert = connection.prepareStatement(sql)) {
                        insert.setObject(1, besides(elsewhere));
                        insert.executeUpdate();
                    }
                }))));
        refuses(() -> ShardContext.run(
                2,
                () -> cluster.inTransaction(session -> session.doWork(connection -> {
                    try (Statement statement = connection.createStatement()) {
                        statement.addBatch(sql.replace("?", String.valueOf(besides(elsewhere))));
                        statement.executeBatch();
                    }
                }))));
        refuses(() -> ShardContext.run(
                2,
                () -> cluster.inTransaction(session -> session.doWork(connection -> {
                    try (PreparedStatement insert = connection.prepareStatement(sql)) {
                        for (long id : List.of(besides(here), besides(elsewhere))) {
                            insert.setLong(1, id);
                            insert.addBatch();
                        }
                        insert.executeBatch();
                    }
                }))));
        refuses(() -> ShardContext.run(2, () -> {
            try (Connection connection = cluster.databases.dataSource().getConnection();
                    PreparedStatement insert = connection.prepareStatement(sql)) {
                insert.setBigDecimal(1, BigDecimal.valueOf(besides(elsewhere)));
                insert.executeUpdate();
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }));
    }

    @Test
    void updatableResults() {
        refuses(() -> ShardContext.run(
                2,
                () -> cluster.inTransaction(session -> session.doWork(connection -> {
                    try (Statement statement = connection.createStatement(
                                    ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE);
                            ResultSet rows = statement.executeQuery("select id, version, name from author")) {
                        assertThat(rows.next()).isTrue();
                        rows.updateLong("id", besides(elsewhere));
                        rows.updateRow();
                    }
                }))));
    }

    /** No foreign key refuses it, but the mapping names the column. */
    @Test
    void referencesToRowsOfOtherShards() {
        assertThatExceptionOfType(WrongShardException.class)
                .isThrownBy(() -> ShardContext.run(
                        2,
                        () -> cluster.inTransaction(session -> session.createNativeMutationQuery(
                                        "insert into {h-schema}remark (picture_id, words) values (:picture, 'x')")
                                .setParameter("picture", idOf(elsewhere))
                                .executeUpdate())))
                .withMessageContaining("Column picture_id of a row of shard_0002.remark")
                .withMessageContaining("shard 2 on database pg1")
                .withMessageContaining(String.valueOf(idOf(elsewhere)));
    }

    @Test
    void aColumnDefaultOfAnotherShard() {
        String otherDefault = "ALTER TABLE shard_0002.remark ALTER id SET DEFAULT $.next_id('$.remark_id_seq')";
        cluster.databases.home(2).execute(otherDefault.replace("$", "shard_0003"));
        try {
            assertThatExceptionOfType(WrongShardException.class)
                    .isThrownBy(() -> cluster.inTransaction(session -> session.persist(new Remark(besides(here), "x"))))
                    .withMessageContaining("id of a row of shard_0002.remark");
        } finally {
            cluster.databases.home(2).execute(otherDefault.replace("$", "shard_0002"));
        }
    }

    @Test
    void numbersThatAreNoIds() {
        assertThatExceptionOfType(WrongShardException.class)
                .isThrownBy(() -> ShardContext.run(
                        2,
                        () -> cluster.inTransaction(session -> session.createNativeMutationQuery(
                                        "insert into {h-schema}author (id, version, name) values (-1, 0, 'x')")
                                .executeUpdate())))
                .withMessageContaining("id of a row of shard_0002.author")
                .withMessageContaining("(-1, 0, x)");
    }

    @Test
    void idsOfTheShardItself() {
        assertThatCode(() -> ShardContext.run(2, () -> {
                    try (Session session = cluster.sessions.openSession()) {
                        session.beginTransaction();
                        int inserted = session.createNativeMutationQuery(
                                        "insert into {h-schema}author (id, version, name) values (:id, 0, 'x')")
                                .setParameter("id", besides(here))
                                .executeUpdate();
                        int updated = session.createNativeMutationQuery(
                                        "update {h-schema}author set id = :id where id = :old")
                                .setParameter("id", besides(here) + 1)
                                .setParameter("old", besides(here))
                                .executeUpdate();
                        assertThat(inserted + updated).isEqualTo(2);
                        session.getTransaction().rollback();
                    }
                }))
                .doesNotThrowAnyException();
    }
}
