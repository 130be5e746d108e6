package io.github.shardedid.hibernate;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.routing.MisplacedIdException;
import io.github.shardedid.routing.ShardContext;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.LongFunction;
import org.hibernate.Session;
import org.hibernate.jdbc.Work;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PGobject;

/** The forms in which JDBC can write an id: another shard's is refused in all of them, the shard's own is accepted in the plain ones. */
class MisplacedIdFormsIntegrationTests {
    private static final int SHARD = 2;
    private static HibernateCluster cluster;
    private static long own;
    private static long foreign;

    @BeforeAll
    static void start() {
        cluster = new HibernateCluster();
        own = requireNonNull(cluster.authorIn(SHARD).id) + 1;
        foreign = requireNonNull(cluster.authorIn(3).id) + 1;
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(cluster.databases.activeConnections()).isZero();
    }

    /** Runs in shard 2, and rolls back. */
    private static void inShard(Work work) {
        ShardContext.run(SHARD, () -> {
            try (Session session = cluster.sessions.openSession()) {
                session.beginTransaction();
                try {
                    session.doWork(work);
                } finally {
                    session.getTransaction().rollback();
                }
            }
        });
    }

    private static void refused(Work work) {
        assertThatExceptionOfType(MisplacedIdException.class)
                .isThrownBy(() -> inShard(work))
                .withMessageContaining("author.id")
                .withMessageContaining("routed to shard 2");
    }

    /** How a parameter is set. */
    private interface Setter {
        void set(PreparedStatement statement, long id) throws SQLException;
    }

    private static Work with(String sql, Setter setter, long id) {
        return connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                setter.set(statement, id);
                statement.executeUpdate();
            }
        };
    }

    private static final Setter LONG = (statement, id) -> statement.setLong(1, id);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update author set version = case when version > 0 then 1 else 0 end, id = ?",
                "update author set name = case when name is distinct from 'x' then 'y' end, id = ? where version = 0",
                "update only (author) set id = ?",
                "update author as set set id = ?",
                "update author set (id, name) = (?, 'x')",
                "update author set (id, name) = row(?, 'x')",
                "update author set (id) = row(?)",
                "update author set (id, name) = (select ?, 'x')",
                "insert into author (name, id, version) select 1 is distinct from 2, ?, 0",
                "insert into author (name, id, version) select 'x' as limit, ?, 0",
                "insert into author (id, name, version) select a.id, a.name, 0 from author a join author b on a.id = b.id and"
                        + " false union all select ?, 'x', 0",
                "insert into author (id, name, version) select n, 'x', 0 from unnest('{}'::bigint[]) with ordinality g(n, o)"
                        + " union all (select ?, 'x', 0)",
                "insert into author (id, name, version) select id, name, version from author for update"
                        + " on conflict (id) do update set id = ?",
                "insert into author (id, name, version) select id, name, version from author for no key update"
                        + " on conflict (id) do update set id = ?",
                "insert into author (id, name, version) select id, name, version from author"
                        + " on conflict (id) do update set (id, name) = (?, 'x')",
                "merge into author a using (select id from author for update) v on a.id = v.id when matched then update set"
                        + " version = case when a.version > 0 then 1 else 0 end, id = ?",
                "insert into author (id, name, version) (values (?, 'x', 0))",
                "insert into author (id, name, version) ((values (?, 'x', 0)))",
                "insert into author (id, name, version) ((select ?, 'x', 0))",
                "insert into author (id, name, version) with q as materialized (select 1), r as (select 2) (select ?, 'x', 0)",
                "insert into author (id, name, version) select ? as id, 'x', 0",
                "insert into author (id, name, version) select ? id, 'x', 0",
                "insert into author (id, name, version) select cast(? as bigint) id, 'x', 0",
                "insert into author (id, name, version) select cast(cast(? as bigint) as bigint), 'x', 0",
                "insert into author (id, name, version) values (+ ?, 'x', 0)",
                "insert into author (id, name, version) select v.id, 'x', 0 from (select cast(? as bigint) as id) v",
            })
    void parameters(String sql) {
        refused(with(sql, LONG, foreign));
        inShard(with(sql, LONG, own));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into author values (?, 0, 'x')",
                "insert into author (id, name, version) select n, 'x', 0 from unnest(array[?]) n",
                "insert into author (id, name, version) values (case when true then ? end, 'x', 0)",
                "insert into author (id, name, version) values (- ?, 'x', 0)",
                "merge into author a using (values (1)) v on false when not matched then insert values (?, 0, 'x')",
                "insert into author (id, name, version) select 'x', 0, 0 case from author union all select ?, 'x', 0 end",
            })
    void parametersThatCannotBeRead(String sql) {
        refused(with(sql, LONG, foreign));
        refused(with(sql, LONG, own));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%d",
                "+%d",
                "'%d'",
                "'+%d'",
                "E'%d'",
                "$$%d$$",
                "U&'%d'",
                "%d.0",
                "%de0",
                "'%d.0'::numeric",
                "cast(cast(%d as bigint) as bigint)"
            })
    void literals(String literal) {
        LongFunction<Work> work = id -> connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate(
                        "insert into author (id, name, version) values (" + literal.formatted(id) + ", 'x', 0)");
            }
        };
        refused(work.apply(foreign));
        inShard(work.apply(own));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bigint '%d'", "int8('%d')", "%d + 0", "(select %d)"})
    void literalsThatCannotBeRead(String literal) {
        refused(connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate(
                        "insert into author (id, name, version) values (" + literal.formatted(foreign) + ", 'x', 0)");
            }
        });
    }

    private static PGobject object(String type, String value) throws SQLException {
        PGobject object = new PGobject();
        object.setType(type);
        object.setValue(value);
        return object;
    }

    private static BigDecimal scaled(long id) {
        return new BigDecimal(id + ".0");
    }

    static List<Setter> setters() {
        return List.of(
                LONG,
                (statement, id) -> {
                    statement.setLong(1, own);
                    statement.setLong(1, id);
                },
                (statement, id) -> statement.setObject(1, BigInteger.valueOf(id)),
                (statement, id) -> statement.setObject(1, id, Types.BIGINT),
                (statement, id) -> statement.setBigDecimal(1, scaled(id)),
                (statement, id) -> statement.setObject(1, scaled(id)),
                (statement, id) -> statement.setObject(1, id + ".0", Types.NUMERIC),
                (statement, id) -> statement.setObject(1, String.valueOf(id), Types.OTHER),
                (statement, id) -> statement.setObject(1, object("int8", String.valueOf(id))),
                (statement, id) -> statement.setObject(1, object("numeric", id + ".0")));
    }

    @ParameterizedTest
    @MethodSource("setters")
    void values(Setter setter) {
        String sql = "insert into author (id, name, version) values (?, 'x', 0)";
        refused(with(sql, setter, foreign));
        inShard(with(sql, setter, own));
    }

    static List<Setter> otherSetters() {
        return List.of(
                (statement, id) -> statement.setObject(1, String.valueOf(id).replaceFirst("^.", "$0_"), Types.OTHER),
                (statement, id) -> statement.setObject(1, "0x" + Long.toHexString(id), Types.OTHER),
                (statement, id) -> statement.setObject(1, new StringJoiner("").add(String.valueOf(id)), Types.OTHER),
                (statement, id) -> statement.setObject(1, object("float8", String.valueOf(id))),
                (statement, id) -> statement.setObject(1, new Long[] {id}),
                (statement, id) -> statement.setObject(1, id, Types.DOUBLE),
                (statement, id) -> statement.setDouble(1, (double) id));
    }

    @ParameterizedTest
    @MethodSource("otherSetters")
    void valuesOfOtherTypes(Setter setter) {
        refused(with("insert into author (id, name, version) values (?, 'x', 0)", setter, foreign));
    }

    /** Even the shard's own id: the driver sends another number. */
    @Test
    void aTypeOrAScaleThatMayChangeTheId() {
        String sql = "insert into author (id, name, version) values (?, 'x', 0)";
        refused(with(sql, (statement, id) -> statement.setObject(1, id, Types.REAL), own));
        refused(with(sql, (statement, id) -> statement.setObject(1, BigDecimal.valueOf(id), Types.NUMERIC, -3), own));
    }

    private static ResultSet rows(Connection connection, String columns) throws SQLException {
        ResultSet rows = connection
                .createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_UPDATABLE)
                .executeQuery("select " + columns + " from author");
        assertThat(rows.next()).isTrue();
        return rows;
    }

    @Test
    void updatableResults() {
        refused(connection -> rows(connection, "id, name").updateLong("id", foreign));
        refused(connection -> rows(connection, "id, name").updateString(1, String.valueOf(foreign)));
        refused(connection -> rows(connection, "id, version, name, id as other").updateObject("other", foreign));
        refused(connection -> {
            ResultSet rows = rows(connection, "id, version, name");
            rows.moveToInsertRow();
            rows.updateInt("version", 0);
            rows.updateLong("id", foreign);
            rows.insertRow();
        });
        inShard(connection -> {
            ResultSet rows = rows(connection, "id, version, name");
            rows.updateString("name", "17");
            rows.updateRow();
            rows.moveToInsertRow();
            rows.updateInt("version", 0);
            rows.updateString("name", "x");
            rows.updateLong("id", own);
            rows.insertRow();
        });
    }
}
