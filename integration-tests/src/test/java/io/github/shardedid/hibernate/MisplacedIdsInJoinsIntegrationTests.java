package io.github.shardedid.hibernate;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.routing.MisplacedIdException;
import io.github.shardedid.routing.ShardContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An id of another shard that reaches a column with ids through a join in parentheses, or through a name that PostgreSQL shortens. */
class MisplacedIdsInJoinsIntegrationTests {
    /** As long as PostgreSQL's names can be: what follows is cut off. */
    private static final String LONGEST = "n".repeat(63);

    private static HibernateCluster cluster;
    private static long foreign;

    @BeforeAll
    static void start() {
        cluster = new HibernateCluster();
        cluster.authorIn(2);
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into author (name, id) select 'x', w.k from ((select 1 as a) v join (select ?::bigint as k) w on true)",
                "insert into author (name, id) select 'x', v.k from ((values (?::bigint)) v(k) cross join (select 1) w(l))",
                "insert into author (name, id) select 'x', k from ((values (?::bigint)) v(k) cross join (select 1) w(l))",
                "insert into author (name, id) select 'x', j.k from ((select 1 as a) v join (select ?::bigint as k) w on true) as j",
                "insert into author (name, id) select 'x', w.k from ((select ?::bigint as x) w(k) join author a on true)",
                "insert into author (name, id) select 'x', w.k from ((select a.name from author a) a cross join (select ?::bigint as k) w)",
                "insert into author (name, id) select 'x', y.k from (select w.k from ((select 1 as a) v join (select ?::bigint as k) w on true)) y",
                "insert into remark (words, picture_id) select 'x', w.k from ((select 1 as a) v join (select ?::bigint as k) w on true)",
                "with z(k) as (values (?::bigint)) insert into author (name, id) select 'x', k from ((select 1 as a) v cross join z)",
                "update author set id = w.k from ((select 1 as a) v join (select ?::bigint as k) w on true)",
                "merge into author a using ((select 1 as a) v join (select ?::bigint as k) w on true) on a.id = w.k"
                        + " when not matched then insert (id, name) values (w.k, 'x')",
            })
    void joinsInParentheses(String sql) {
        refused(sql);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "insert into author (name, id) select 'x', w.k from author a join (select 1 as \"end\") y on y.end = 1"
                        + " and case when true then true end cross join (select ?::bigint as k) w",
            })
    void aColumnWithTheNameOfAWord(String sql) {
        refused(sql);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "with #x as (select ?::bigint as k) insert into author (name, id) select 'x', k from #y",
                "insert into author (name, id) select 'x', #y.k from (select ?::bigint as k) #x",
                "insert into author (name, id) select 'x', v.#y from (select ?::bigint as #x) v",
            })
    void namesThatAreShortened(String sql) {
        refused(sql.replace("#", LONGEST));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create temp table t (a int) on commit drop;"
                        + " insert into author (name, id) select 'x', $1 from author where ?::bigint is not null",
            })
    void aParameterByItsNumberBehindACreate(String sql) {
        refused(sql);
    }

    /** Runs in shard 2. */
    private static void refused(String sql) {
        assertThatExceptionOfType(MisplacedIdException.class).isThrownBy(() -> {
            try (ShardContext.Scope scope = ShardContext.open(2);
                    Connection connection = cluster.databases.dataSource().getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    statement.setLong(1, foreign);
                    statement.executeUpdate();
                } catch (SQLException e) {
                    throw new AssertionError("sent: " + sql, e);
                } finally {
                    connection.rollback();
                }
            }
        });
    }
}
