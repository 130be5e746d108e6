package io.github.shardedid.hibernate.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import jakarta.persistence.PersistenceException;
import java.util.List;
import org.awaitility.Awaitility;
import org.hibernate.SessionFactory;
import org.hibernate.exception.ConstraintViolationException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Inserts that are sent with the commit of a transaction that claims, and that the database refuses, or does not do. */
@Tag("quick")
class ClaimedCommitIntegrationTests {
    private static final int SHARD = 5;
    static TestCluster databases;
    static SessionFactory sessions;

    @BeforeAll
    static void start() {
        databases = new TestCluster(IdLayout.DEFAULT, 8, 2, "classpath:db/unique");
        databases
                .home(SHARD)
                .execute(
                        "CREATE FUNCTION shard_0005.skip() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';"
                                + "CREATE TRIGGER skipping BEFORE INSERT ON shard_0005.guest FOR EACH ROW"
                                + " WHEN (NEW.name LIKE 'skip%') EXECUTE FUNCTION shard_0005.skip();"
                                + "CREATE FUNCTION shard_0005.refuse() RETURNS trigger LANGUAGE plpgsql AS"
                                + " 'BEGIN RAISE EXCEPTION USING ERRCODE = ''23514'', MESSAGE = ''too late''; END';"
                                + "CREATE CONSTRAINT TRIGGER late AFTER INSERT ON shard_0005.guest DEFERRABLE INITIALLY DEFERRED"
                                + " FOR EACH ROW WHEN (NEW.name LIKE 'late%') EXECUTE FUNCTION shard_0005.refuse()");
        sessions = UniqueValuesIntegrationTests.configuration(databases).buildSessionFactory();
    }

    @AfterAll
    static void stop() {
        sessions.close();
        databases.close();
    }

    private static Guest saved(Guest guest) {
        ShardContext.run(SHARD, () -> sessions.inTransaction(session -> session.persist(guest)));
        return guest;
    }

    /** Values whose claims are in the shard of the row, in another one of its database, and in those of the other database. */
    private static List<String> values(String name) {
        return List.of(name + 1, name + 2, name + 3, name + 4, name + 5, name + 6, name + 7, name + 8);
    }

    private static long rowsWith(String name) {
        return databases.home(SHARD).queryLong("SELECT count(*) FROM shard_0005.guest WHERE name = '" + name + "'");
    }

    private static void assertFree(String name) {
        ShardContext.run(3, () -> sessions.inTransaction(session -> session.persist(new Guest(name))));
        // The leases of ids of the JVM are renewed over a connection, too.
        Awaitility.await().until(() -> databases.activeConnections() == 0);
    }

    @Test
    void aRowThatTheDatabaseRefusesIsNotStored() {
        Guest first = saved(new Guest("first"));
        for (String name : values("twice")) {
            Guest second = new Guest(name);
            second.id = first.id;
            assertThatThrownBy(() -> saved(second))
                    .isInstanceOfSatisfying(
                            ConstraintViolationException.class,
                            thrown -> assertThat(thrown.getConstraintName()).isEqualTo("guest_pkey"));
            assertThat(rowsWith(name)).isZero();
            assertFree(name);
        }
    }

    /** As without a claim: Hibernate does not count the rows of an insert. */
    @Test
    void aRowThatATriggerSkipsIsNotStored() {
        for (String name : values("skip")) {
            saved(new Guest(name));
            assertThat(rowsWith(name)).isZero();
            assertFree(name);
        }
    }

    @Test
    void aCommitThatIsRefusedStoresNothing() {
        for (String name : values("late")) {
            assertThatThrownBy(() -> saved(new Guest(name)))
                    .isInstanceOf(PersistenceException.class)
                    .hasStackTraceContaining("too late");
            assertThat(rowsWith(name)).isZero();
            assertFree(name);
        }
    }

    @Test
    void aCommitThatSucceedsStoresTheRow() {
        for (String name : values("row")) {
            saved(new Guest(name));
            assertThat(rowsWith(name)).isEqualTo(1);
            assertThatThrownBy(() -> saved(new Guest(name))).hasStackTraceContaining("DuplicateValueException");
        }
    }
}
