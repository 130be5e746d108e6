package io.github.shardedid.hibernate.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Unique values of rows that are deleted softly, of several tables, with the id of another row, of converters, and of columns that are other than mapped. */
@Tag("quick")
class MappedValuesIntegrationTests {
    static TestCluster databases;
    static SessionFactory sessions;

    @BeforeAll
    static void start() {
        databases = new TestCluster(IdLayout.DEFAULT, 8, 2, "classpath:db/unique-mapped");
        sessions = configuration()
                .addAnnotatedClasses(
                        Mapped.Softly.class,
                        Mapped.Marked.class,
                        Mapped.Party.class,
                        Mapped.Company.class,
                        Mapped.Profile.class,
                        Mapped.Secret.class,
                        Inexact.Marking.class)
                .buildSessionFactory();
    }

    private static Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.getProperties().put(ShardingSettings.COLOCATED_COLUMNS, databases.constraining());
        configuration.setPhysicalNamingStrategy(new PhysicalNamingStrategySnakeCaseImpl());
        return configuration;
    }

    @AfterAll
    static void stop() {
        sessions.close();
        databases.close();
    }

    private static <T> T saved(int shard, T row) {
        ShardContext.run(shard, () -> sessions.inTransaction(session -> session.persist(row)));
        return row;
    }

    private static void assertDuplicate(int shard, Object row) {
        assertThatThrownBy(() -> saved(shard, row)).hasStackTraceContaining("DuplicateValueException");
    }

    private static void removed(Class<?> type, @org.jspecify.annotations.Nullable Long id) {
        sessions.inTransaction(session -> session.remove(session.find(type, id)));
    }

    private static Mapped.Softly softly(String name) {
        Mapped.Softly row = new Mapped.Softly();
        row.name = name;
        return row;
    }

    private static Mapped.Marked marked(String name) {
        Mapped.Marked row = new Mapped.Marked();
        row.name = name;
        return row;
    }

    private static Mapped.Company company(String login, long taxNumber) {
        Mapped.Company row = new Mapped.Company();
        row.login = login;
        row.taxNumber = taxNumber;
        return row;
    }

    private static Mapped.Profile profile(Mapped.Party party, UUID token) {
        Mapped.Profile row = new Mapped.Profile();
        row.party = party;
        row.token = token;
        return row;
    }

    /** As a unique index would see it: the row is there. */
    @Test
    void aRowThatIsDeletedSoftlyKeepsItsValue() {
        Mapped.Softly first = saved(1, softly("soft"));
        removed(Mapped.Softly.class, first.id);
        assertThat(databases.home(1).queryLong("SELECT count(*) FROM shard_0001.softly WHERE deleted"))
                .isEqualTo(1);
        assertDuplicate(6, softly("soft"));
        Mapped.Marked second = saved(1, marked("mark"));
        removed(Mapped.Marked.class, second.id);
        assertDuplicate(6, marked("mark"));
    }

    @Test
    void valuesOfJoinedTablesAreUniqueForAllRowsOfTheirTable() {
        Mapped.Company first = saved(2, company("First", 1));
        Mapped.Party party = new Mapped.Party();
        party.login = "first";
        assertDuplicate(7, party);
        assertDuplicate(7, company("second", 1));
        Mapped.Company second = saved(7, company("second", 2));
        sessions.inTransaction(session -> session.find(Mapped.Company.class, first.id).taxNumber = 3L);
        sessions.inTransaction(session -> session.find(Mapped.Company.class, second.id).taxNumber = 1L);
        assertDuplicate(4, company("third", 1));
        second.login = "FIRST";
        second.version++;
        assertThatThrownBy(() -> sessions.inTransaction(session -> session.merge(second)))
                .hasStackTraceContaining("DuplicateValueException");
        removed(Mapped.Company.class, first.id);
        sessions.inTransaction(session -> session.merge(second));
        assertDuplicate(2, party);
    }

    @Test
    void aRowWithTheIdOfAnotherOneClaimsToo() {
        UUID token = UUID.randomUUID();
        Mapped.Company first = company("holder", 10);
        Mapped.Company second = company("other", 11);
        saved(3, first);
        saved(6, second);
        sessions.inTransaction(session -> session.persist(
                profile(session.getReference(Mapped.Party.class, Objects.requireNonNull(first.id)), token)));
        assertThatThrownBy(() -> sessions.inTransaction(session -> session.persist(
                        profile(session.getReference(Mapped.Party.class, Objects.requireNonNull(second.id)), token))))
                .hasStackTraceContaining("DuplicateValueException");
        removed(Mapped.Profile.class, first.id);
        sessions.inTransaction(session -> session.persist(
                profile(session.getReference(Mapped.Party.class, Objects.requireNonNull(second.id)), token)));
    }

    @Test
    void aConverterThatGivesAnotherTextEachTimeIsRefused() {
        Mapped.Secret secret = new Mapped.Secret();
        secret.code = "code";
        assertThatThrownBy(() -> saved(1, secret))
                .hasStackTraceContaining(ShardedIdMappingException.class.getName())
                .hasStackTraceContaining("converted to another value each time");
        assertThat(databases.home(1).queryLong("SELECT count(*) FROM shard_0001.secret"))
                .isZero();
    }

    @Test
    void aCombinationWithALazyAttributeIsRefusedAtStart() {
        assertThatThrownBy(() -> configuration()
                        .addAnnotatedClass(Mapped.Lazily.class)
                        .buildSessionFactory()
                        .close())
                .hasStackTraceContaining("which is lazy");
    }

    @Test
    void aValueThatAConverterMakesOfNullIsClaimed() {
        saved(1, new Inexact.Marking());
        assertDuplicate(6, new Inexact.Marking());
        assertThat(sessions.<Long>fromSession(session -> session.createSelectionQuery(
                                "select count(m) from Marking m where m.name = :name", Long.class)
                        .setParameter("name", null)
                        .getSingleResult()))
                .isEqualTo(1);
    }

    /** A claim would be of another value than the row has: two rows could get one value. */
    @Test
    void columnsThatDoNotReturnWhatIsClaimedAreRefusedAtStart() {
        assertRefused("its column token has the type bytea", Inexact.Binary.class);
        assertRefused("its column price has the type numeric(12,2)", Inexact.Rounded.class);
        assertRefused("its column name has the collation ignoring_case", Inexact.Collated.class);
        assertRefused("its column state has a default", Inexact.Defaulted.class);
        assertRefused("state, which has a @Type", Inexact.Typed.class);
        assertRefused("attribute text claims no value", Inexact.Marking.class, Inexact.MarkingView.class);
    }

    private static void assertRefused(String fault, Class<?>... entities) {
        assertThatThrownBy(() -> configuration()
                        .addAnnotatedClasses(entities)
                        .buildSessionFactory()
                        .close())
                .hasStackTraceContaining(ShardedIdMappingException.class.getName())
                .hasStackTraceContaining(fault);
    }

    /** A transaction that does not see a row would take its value. */
    @Test
    void rowsThatAPolicyHidesAreRefusedAtStart() {
        TestDatabase first = databases.home(0);
        first.execute("CREATE ROLE tenant; ALTER TABLE shard_0000.marking ENABLE ROW LEVEL SECURITY");
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(first.url() + "?currentSchema=no_shard_selected&options=-c%20role=tenant");
        config.setUsername(first.server().username());
        config.setPassword(first.server().password());
        Map<String, DataSource> pools = new HashMap<>(databases.sources());
        try (HikariDataSource pool = new HikariDataSource(config)) {
            pools.put("pg1", pool);
            Configuration asTenant = configuration().addAnnotatedClass(Inexact.Marking.class);
            asTenant.getProperties()
                    .put(
                            "hibernate.connection.datasource",
                            new RoutingDataSource(
                                    databases.cluster(), pools, RoutingOptions.DEFAULT, InstantSource.system()));
            assertThatThrownBy(() -> asTenant.buildSessionFactory().close())
                    .hasStackTraceContaining("hide rows of marking from the role tenant");
        } finally {
            first.execute("ALTER TABLE shard_0000.marking DISABLE ROW LEVEL SECURITY; DROP ROLE tenant");
        }
    }

    @Test
    void aTriggerThatSetsAClaimedColumnIsRefusedAtStart() {
        TestDatabase first = databases.home(0);
        assertAccepted("IF NEW.name = OLD.name THEN NULL; END IF; NEW.names := 1;", "marking");
        assertAccepted("NEW.login := lower(NEW.login);", "party");
        for (String body : List.of(
                "NEW.name := lower(NEW.name);",
                "IF true THEN new.\"name\" = 1; END IF;",
                "SELECT 1, 2 INTO NEW.id, NEW.name;")) {
            trigger(body, "marking");
            try {
                assertRefused("its column name is set by the trigger changing", Inexact.Marking.class);
            } finally {
                first.execute("DROP FUNCTION shard_0000.changing() CASCADE");
            }
        }
    }

    private static void assertAccepted(String body, String table) {
        trigger(body, table);
        try {
            configuration()
                    .addAnnotatedClasses(Inexact.Marking.class, Mapped.Party.class, Mapped.Company.class)
                    .buildSessionFactory()
                    .close();
        } finally {
            databases.home(0).execute("DROP FUNCTION shard_0000.changing() CASCADE");
        }
    }

    private static void trigger(String body, String table) {
        databases
                .home(0)
                .execute("CREATE FUNCTION shard_0000.changing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN "
                        + body + " RETURN NEW; END'; CREATE TRIGGER changing BEFORE INSERT OR UPDATE ON shard_0000."
                        + table
                        + " FOR EACH ROW EXECUTE FUNCTION shard_0000.changing()");
    }

    /** The collection writes the column after the row was claimed. */
    @Test
    void aCollectionThatWritesAClaimedColumnIsRefusedAtStart() {
        assertRefused("its attribute volumes claims no value", Mapped.Shelf.class, Mapped.Volume.class);
    }
}
