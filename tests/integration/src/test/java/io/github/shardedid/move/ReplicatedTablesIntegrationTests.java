package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.hibernate.GlobalEntity;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.RoutingOptions;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.GlobalDatabase;
import io.github.shardedid.topology.ShardRanges;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.LockModeType;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.ManyToOne;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.hibernate.Hibernate;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.stat.Statistics;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two shards on two servers; the global database is the first one, and shard 1 is in the second one. */
@Tag("embedded-only")
@Tag("restarts")
class ReplicatedTablesIntegrationTests {
    private static final GlobalDatabase GLOBAL = GlobalDatabase.on("pg1");
    private static final Set<String> TABLES = Set.of("role");
    private static final Duration LONG = Duration.ofSeconds(60);

    private final ClusterDefinition definition = new ClusterDefinition(
            IdLayout.DEFAULT, 2, Map.of("pg1", ShardRanges.parse("0"), "pg2", ShardRanges.parse("1")));

    private PostgresServer second;
    private TestDatabase original;
    private TestDatabase copy;
    private RoutingDataSource routing;

    @Entity(name = "Role")
    @GlobalEntity(replicated = true)
    static class Role {
        @Id
        @Nullable
        Integer id;

        @Nullable
        String name;
    }

    /** A bag: Hibernate stores all words again if one is added. */
    @Entity(name = "Topic")
    @GlobalEntity(replicated = true)
    static class Topic {
        @Id
        int id;

        @ElementCollection
        List<String> words = new ArrayList<>();
    }

    @Entity(name = "Person")
    static class Person {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ManyToOne
        @Nullable
        Role role;

        @ManyToMany
        Set<Role> roles = new HashSet<>();
    }

    @BeforeEach
    void start() {
        second = PostgresServers.start();
        original = PostgresServers.shared(1).newDatabase();
        copy = second.newDatabase();
        provision("classpath:db/replicated/none");
        original.execute("INSERT INTO sharded_global.role VALUES (1, 'admin'), (2, 'guest')");
        assertThat(mover().replicate(GLOBAL, TABLES)).isEmpty();
        provision("classpath:db/replicated/shard");
        routing = new RoutingDataSource(
                new Cluster(IdLayout.DEFAULT, new CurrentShardMap(new DatabaseShardMapSource(definition, sources()))),
                sources(),
                RoutingOptions.DEFAULT.withGlobal(GLOBAL));
    }

    @AfterEach
    void stop() {
        original.execute(
                "DROP PUBLICATION IF EXISTS sharded_id_global; SELECT pg_terminate_backend(active_pid, 5000) FROM"
                        + " pg_replication_slots WHERE active AND database = current_database()");
        second.stop();
        original.execute(
                "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = current_database()");
        original.drop();
    }

    private void provision(String shards) {
        new Provisioner(definition, sources(), ShardMigrations.at(shards))
                .withGlobal(GLOBAL, ShardMigrations.at("classpath:db/replicated/global"))
                .provision();
    }

    private Map<String, DataSource> sources() {
        return new TreeMap<>(Map.of("pg1", original.dataSource(), "pg2", copy.dataSource()));
    }

    /** Of a configuration without the second database. */
    private ShardMover moverOfFirst() {
        return new ShardMover(
                new ClusterDefinition(IdLayout.DEFAULT, 2, Map.of("pg1", ShardRanges.parse("0-1"))),
                Map.of("pg1", original.dataSource()),
                ShardMigrations.at("classpath:db/replicated/shard"));
    }

    private List<String> slots() {
        return original.query("SELECT active::text FROM pg_replication_slots WHERE database = current_database()"
                + " AND starts_with(slot_name, 'sharded_id_global_')");
    }

    private void stopSecond() {
        second.stop();
        await().until(() -> slots().equals(List.of("false")));
    }

    private ShardMover mover() {
        Map<String, ReplicationSource> reach = new TreeMap<>();
        Map.of("pg1", original, "pg2", copy)
                .forEach((name, database) -> reach.put(
                        name,
                        new ReplicationSource(
                                database.server().peerHost(),
                                database.server().peerPort(),
                                database.name(),
                                database.server().username(),
                                database.server().password())));
        return new ShardMover(
                definition,
                sources(),
                ShardMigrations.at("classpath:db/replicated/shard"),
                MoveOptions.DEFAULT.withReplicationSources(reach));
    }

    private SessionFactory sessions(Class<?>... more) {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", routing);
        configuration.setProperty("hibernate.generate_statistics", "true");
        configuration.addAnnotatedClasses(Role.class, Person.class);
        configuration.addAnnotatedClasses(more);
        configuration.setPhysicalNamingStrategy(
                new org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl());
        return configuration.buildSessionFactory();
    }

    private List<String> copied() {
        return copy.query("SELECT r::text FROM sharded_global.role r ORDER BY id");
    }

    @Test
    void statementsOfAShardJoinWithTheCopy() {
        try (SessionFactory sessions = sessions()) {
            long id = ShardContext.call(
                    1,
                    () -> sessions.fromTransaction(session -> {
                        Person person = new Person();
                        person.role = session.getReference(Role.class, 1);
                        person.roles.add(session.getReference(Role.class, 1));
                        person.roles.add(session.getReference(Role.class, 2));
                        session.persist(person);
                        session.flush();
                        return java.util.Objects.requireNonNull(person.id);
                    }));
            Statistics statistics = sessions.getStatistics();
            statistics.clear();
            sessions.inSession(session -> {
                Person person = session.find(Person.class, id);
                assertThat(Hibernate.isInitialized(person.role)).isTrue();
                assertThat(statistics.getPrepareStatementCount()).as("joined").isOne();
                assertThat(person.roles).extracting(role -> role.name).containsExactlyInAnyOrder("admin", "guest");
                assertThat(statistics.getPrepareStatementCount())
                        .as("one statement for the collection")
                        .isEqualTo(2);
            });
            List<Long> found = ShardContext.call(
                    1,
                    () -> sessions.fromSession(session -> session.createQuery(
                                    "select p.id from Person p join p.roles r where r.name = 'guest'", Long.class)
                            .getResultList()));
            assertThat(found).containsExactly(id);
        }
        copy.execute("ALTER SUBSCRIPTION " + subscription() + " DISABLE");
        assertThatThrownBy(() -> sessions().close())
                .as("copies that receive no changes are not read")
                .hasStackTraceContaining("Person.roles");
    }

    @Test
    void writesGoToTheGlobalDatabase() throws SQLException {
        try (SessionFactory sessions = sessions()) {
            ShardContext.run(
                    1,
                    () -> sessions.inTransaction(
                            session -> session.createMutationQuery("update Role r set r.name = 'root' where r.id = 1")
                                    .executeUpdate()));
            assertThat(original.query("SELECT name FROM sharded_global.role WHERE id = 1"))
                    .containsExactly("root");
            routing.awaitReplicated(LONG);
            assertThat(copied()).containsExactly("(1,root)", "(2,guest)");
            assertThatThrownBy(() -> ShardContext.run(
                            1,
                            () -> sessions.inTransaction(session -> session.find(Role.class, 1).name = "lost update")))
                    .hasStackTraceContaining("read from the copy");
            sessions.inTransaction(session -> session.find(Role.class, 1).name = "found globally");
            assertThat(original.query("SELECT name FROM sharded_global.role WHERE id = 1"))
                    .containsExactly("found globally");
            assertThatThrownBy(() -> copy.execute("DELETE FROM sharded_global.role"))
                    .hasStackTraceContaining("it is a copy");
            assertThatThrownBy(() ->
                            write("insert into sharded_id_replicated.role select 3, 'x' from sharded_id_shard.person"))
                    .hasStackTraceContaining("replicated table is written or locked in a statement of its own");
        }
    }

    /** A lock of a row of the copy would lock it in that database only. */
    @Test
    void rowsOfACopyAreNotLocked() throws SQLException {
        try (SessionFactory sessions = sessions()) {
            assertThatThrownBy(() -> locked(sessions, "select r from Person p join p.roles r", Role.class))
                    .hasStackTraceContaining("written or locked in a statement of its own");
            assertThat(locked(sessions, "select p from Person p left join fetch p.role", Person.class))
                    .isEmpty();
            assertThat(locked(sessions, "from Role", Role.class)).hasSize(2);
            assertThatThrownBy(() -> write("select 1 from sharded_id_shard.person p join sharded_id_replicated.role r"
                            + " on r.id = p.role_id for share"))
                    .hasStackTraceContaining("written or locked in a statement of its own");
            write("select id from sharded_id_shard.person p where exists (select from sharded_id_replicated.role)"
                    + " for no key update of p");
        }
    }

    @Test
    void nativeSqlDoesNotLockRowsOfACopyEither() throws SQLException {
        for (String sql : List.of(
                "select * from sharded_global.role for update",
                "select 1 from person p join \"sharded_global\".role r on r.id = p.role_id for share",
                "select 1 from person p join SHARDED_GLOBAL.role as r on r.id = p.role_id for key share of p, r",
                "select * from (select id from sharded_global.role) r for update",
                "with r as (select id from sharded_global.role for update) select * from r",
                "select * from (select id from sharded_global.role) as r for update of r",
                "lock table person, sharded_global.role in exclusive mode")) {
            assertThatThrownBy(() -> write(sql))
                    .as(sql)
                    .isInstanceOf(UnsupportedStatementException.class)
                    .hasMessageContaining("ShardContext.runGlobal");
        }
        write("select 1 from person p join sharded_global.role r on r.id = p.role_id for update of p");
        write(
                "select 1 from sharded_global.role r join lateral (select id from person where role_id = r.id for update) p on true");
        write("select r.id from (select id from sharded_global.role) r"
                + " join lateral (select id from person where role_id = r.id for update) p on true");
        try (ShardContext.Scope scope = ShardContext.open(Target.global());
                Connection connection = routing.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("select * from sharded_global.role for update");
        }
    }

    private static <T> List<T> locked(SessionFactory sessions, String hql, Class<T> type) {
        return ShardContext.call(
                1,
                () -> sessions.fromTransaction(session -> session.createQuery(hql, type)
                        .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                        .getResultList()));
    }

    private void write(String sql) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(Target.shard(1));
                Connection connection = routing.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void aDatabaseThatIsDownIsNamedAndFollowsLater() throws SQLException {
        second.stop();
        original.execute("INSERT INTO sharded_global.role VALUES (3, 'late')");
        assertThatThrownBy(() -> routing.awaitReplicated(Duration.ofMillis(200)))
                .isInstanceOf(SQLTimeoutException.class)
                .hasMessageContaining("[pg2]");
        assertThat(routing.replicationLag()).containsOnlyKeys("pg2");
        second.start();
        routing.awaitReplicated(LONG);
        assertThat(copied()).containsExactly("(1,admin)", "(2,guest)", "(3,late)");
    }

    @Test
    void aDatabaseThatDoesNotReadItsSlotIsNamed() throws SQLException {
        stopCopying();
        original.execute("INSERT INTO sharded_global.role VALUES (3, 'late')");
        assertThat(routing.replicationLag()).containsEntry("pg2", -1L);
        assertThatThrownBy(() -> routing.awaitReplicated(Duration.ZERO)).hasMessageContaining("[pg2]");
        copy.execute("ALTER SUBSCRIPTION " + subscription() + " ENABLE");
        routing.awaitReplicated(LONG);
        assertThat(routing.replicationLag().get("pg2")).isNotNegative();
    }

    /** From PostgreSQL 18 on, its server skips what is not published, and the database confirms what it has not got. */
    @Test
    void aPublicationThatLacksATableIsNamed() throws SQLException {
        for (String sql : List.of(
                "ALTER PUBLICATION sharded_id_global DROP TABLE sharded_global.role",
                "ALTER PUBLICATION sharded_id_global SET TABLE sharded_global.role WHERE (id < 3)",
                "ALTER PUBLICATION sharded_id_global SET (publish = 'update, delete')",
                "DROP PUBLICATION sharded_id_global")) {
            original.execute(sql + "; INSERT INTO sharded_global.role VALUES (3, 'lost')");
            assertThat(routing.replicationLag()).as(sql).containsEntry("pg2", -1L);
            assertThatThrownBy(() -> routing.awaitReplicated(Duration.ZERO)).hasMessageContaining("[pg2]");
            assertThat(mover().replicate(GLOBAL, TABLES)).isEmpty();
            routing.awaitReplicated(LONG);
            assertThat(copied()).containsExactly("(1,admin)", "(2,guest)", "(3,lost)");
            original.execute("DELETE FROM sharded_global.role WHERE id = 3");
            routing.awaitReplicated(LONG);
            assertThat(copied()).as("repaired").hasSize(2);
        }
    }

    private void stopCopying() {
        copy.execute("ALTER SUBSCRIPTION " + subscription() + " DISABLE");
        await().until(() -> slots().equals(List.of("false")));
    }

    @Test
    void collectionsOfARowOfTheGlobalDatabaseAreReadThereSinceTheyAreWritten() {
        original.execute(
                "CREATE TABLE sharded_global.topic (id int PRIMARY KEY);"
                        + " CREATE TABLE sharded_global.topic_words (topic_id int, words text, PRIMARY KEY (topic_id, words));"
                        + " INSERT INTO sharded_global.topic VALUES (1); INSERT INTO sharded_global.topic_words VALUES (1, 'early')");
        assertThat(mover().replicate(GLOBAL, Set.of("role", "topic", "topic_words")))
                .isEmpty();
        try (SessionFactory sessions = sessions(Topic.class)) {
            stopCopying();
            original.execute("INSERT INTO sharded_global.topic_words VALUES (1, 'late')");
            sessions.inTransaction(session -> {
                Topic topic = session.find(Topic.class, 1);
                ShardContext.run(1, () -> topic.words.add("new"));
            });
            assertThat(original.query("SELECT words FROM sharded_global.topic_words ORDER BY 1"))
                    .containsExactly("early", "late", "new");
            ShardContext.run(
                    1,
                    () -> sessions.inSession(session -> assertThat(session.find(Topic.class, 1).words)
                            .as("in the copy")
                            .containsExactly("early")));
            assertThatThrownBy(() -> sessions.inTransaction(session -> {
                        Topic topic = session.find(Topic.class, 1);
                        ShardContext.run(1, () -> session.refresh(topic));
                        topic.words.add("refreshed");
                    }))
                    .hasStackTraceContaining("read from the copy");
            assertThatThrownBy(() -> sessions.inTransaction(session -> {
                        Topic topic = session.find(Topic.class, 1);
                        ShardContext.run(
                                1, () -> session.createQuery("from Topic t left join fetch t.words", Topic.class)
                                        .getResultList());
                        topic.words.add("newer");
                    }))
                    .hasStackTraceContaining("read from the copy");
            assertThatThrownBy(() -> sessions.inTransaction(session -> {
                        Topic topic = session.find(Topic.class, 1);
                        ShardContext.run(
                                1, () -> session.createQuery("from Topic t left join fetch t.words", Topic.class)
                                        .getResultStream()
                                        .forEach(each -> {}));
                        topic.words.add("streamed");
                    }))
                    .hasStackTraceContaining("read from the copy");
            sessions.inTransaction(session -> session.createQuery("from Topic t left join fetch t.words", Topic.class)
                    .getSingleResult()
                    .words
                    .add("unscoped"));
            sessions.inTransaction(session -> ShardContext.runGlobal(
                    () -> session.createQuery("from Topic t left join fetch t.words", Topic.class)
                            .getSingleResult()
                            .words
                            .add("newest")));
            assertThat(original.query("SELECT words FROM sharded_global.topic_words ORDER BY 1"))
                    .containsExactly("early", "late", "new", "newest", "unscoped");
        }
    }

    @Test
    void aDatabaseThatHasLeftTheClusterLosesItsSlot() throws SQLException {
        mover().move(1, "pg1");
        await().until(() -> slots().equals(List.of("true")));
        assertThat(moverOfFirst().replicate(GLOBAL, TABLES)).isEmpty();
        assertThat(slots()).as("in use").containsExactly("true");
        assertThat(routing.replicationLag()).containsOnlyKeys("pg2");
        stopSecond();
        assertThat(moverOfFirst().replicate(GLOBAL, TABLES)).isEmpty();
        assertThat(slots()).isEmpty();
        assertThat(routing.replicationLag()).isEmpty();
        routing.awaitReplicated(Duration.ZERO);

        second.start();
        assertThat(mover().check(0, "pg2")).singleElement().asString().contains("get no changes");
        original.execute("INSERT INTO sharded_global.role VALUES (3, 'missed')");
        assertThat(mover().replicate(GLOBAL, TABLES)).isEmpty();
        assertThat(mover().check(0, "pg2")).isEmpty();
        assertThat(copied()).containsExactly("(1,admin)", "(2,guest)", "(3,missed)");
        assertThat(routing.replicationLag()).containsOnlyKeys("pg2");
    }

    /** An older configuration, or another application, that does not name a database. */
    @Test
    void aDatabaseWithShardsKeepsItsSlotWhoeverDoesNotKnowIt() throws SQLException {
        stopSecond();
        assertThat(moverOfFirst().replicate(GLOBAL, TABLES)).isEmpty();
        assertThat(slots()).hasSize(1);
        original.execute("INSERT INTO sharded_global.role VALUES (3, 'late')");
        RoutingDataSource first = new RoutingDataSource(
                routing.cluster(), Map.of("pg1", original.dataSource()), RoutingOptions.DEFAULT.withGlobal(GLOBAL));
        first.awaitReplicated(Duration.ZERO);
        assertThat(first.replicationLag()).as("its log is kept").containsOnlyKeys("pg2");
        assertThatThrownBy(() -> routing.awaitReplicated(Duration.ZERO)).hasMessageContaining("[pg2]");
        second.start();
        routing.awaitReplicated(LONG);
        assertThat(copied()).containsExactly("(1,admin)", "(2,guest)", "(3,late)");
    }

    @Test
    void aMoveThatHasNotEndedKeepsTheSlot() {
        mover().move(1, "pg1");
        stopSecond();
        original.execute("UPDATE sharded_id.shard SET state = 'MOVING' WHERE shard = 1");
        assertThat(moverOfFirst().replicate(GLOBAL, TABLES)).isEmpty();
        assertThat(slots()).hasSize(1);
        second.start();
    }

    @Test
    void whatAFormerClusterHasLeftIsRemoved() throws SQLException {
        String former = subscription();
        for (TestDatabase each : List.of(original, copy)) {
            each.execute("UPDATE sharded_id.cluster SET cluster_id = '00000000-0000-0000-0000-000000000001'");
        }
        original.execute("INSERT INTO sharded_global.role VALUES (3, 'more')");
        await().until(() -> {
            assertThat(mover().replicate(GLOBAL, TABLES)).isEmpty();
            return slots().size() == 1; // the server closes the connection of the former one in its own time
        });
        assertThat(copy.query("SELECT subname FROM pg_subscription")).hasSize(1).doesNotContain(former);
        routing.awaitReplicated(LONG);
        assertThat(original.query("SELECT slot_name FROM sharded_id.replicated"))
                .containsExactly(subscription());
        assertThat(copied()).containsExactly("(1,admin)", "(2,guest)", "(3,more)");
    }

    @Test
    void lostSlotsAndEmptiedCopiesAreRepaired() throws SQLException {
        copy.execute("ALTER SUBSCRIPTION " + subscription() + " DISABLE");
        original.execute(
                "SELECT pg_terminate_backend(active_pid, 5000) FROM pg_replication_slots WHERE active AND database ="
                        + " current_database()");
        original.execute(
                "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = current_database()");
        original.execute(
                "DELETE FROM sharded_global.role WHERE id = 2; INSERT INTO sharded_global.role VALUES (4, 'new')");
        assertThat(routing.replicationLag()).containsEntry("pg2", -1L);
        assertThatThrownBy(() -> routing.awaitReplicated(Duration.ZERO)).hasMessageContaining("[pg2]");

        assertThat(mover().replicate(GLOBAL, TABLES)).isEmpty();
        assertThat(copied()).containsExactly("(1,admin)", "(4,new)");

        copy.execute("DROP SCHEMA sharded_global CASCADE");
        assertThat(mover().replicate(GLOBAL, TABLES)).isEmpty();
        assertThat(copied()).containsExactly("(1,admin)", "(4,new)");

        copy.execute(
                "SET session_replication_role = replica; TRUNCATE sharded_global.role CASCADE; RESET session_replication_role;"
                        + " ALTER SUBSCRIPTION " + subscription() + " DISABLE");
        assertThat(mover().replicate(GLOBAL, TABLES)).isEmpty();
        assertThat(copied()).as("emptied, and silent").containsExactly("(1,admin)", "(4,new)");

        copy.execute(
                "SET session_replication_role = replica; DELETE FROM sharded_global.role WHERE id = 4; RESET session_replication_role");
        String before = created();
        assertThat(mover().replicate(GLOBAL, TABLES)).isEmpty();
        assertThat(copied()).as("one row lost").containsExactly("(1,admin)", "(4,new)");
        String after = created();
        assertThat(after).isNotEqualTo(before);
        assertThat(mover().replicate(GLOBAL, TABLES)).isEmpty();
        assertThat(created()).as("nothing left to do").isEqualTo(after);
        routing.awaitReplicated(LONG);
    }

    private String created() {
        return copy.query("SELECT oid::text FROM pg_subscription WHERE subname = '" + subscription() + "'")
                .get(0);
    }

    @Test
    void aTypeThatTheCopysDatabaseLacksIsNamedAndTheOtherTablesStay() throws SQLException {
        original.execute("CREATE TYPE sharded_global.level AS ENUM ('low'); CREATE TABLE sharded_global.badge"
                + " (id int PRIMARY KEY, level sharded_global.level)");
        assertThat(mover().replicate(GLOBAL, Set.of("role", "badge")).get("pg2"))
                .contains("sharded_global.level", "does not exist");
        assertThat(copied()).containsExactly("(1,admin)", "(2,guest)");
        copy.execute("CREATE TYPE sharded_global.level AS ENUM ('low')");
        assertThat(mover().replicate(GLOBAL, TABLES))
                .as("of another application")
                .isEmpty();
        original.execute("INSERT INTO sharded_global.badge VALUES (1, 'low')");
        routing.awaitReplicated(LONG);
        assertThat(copy.query("SELECT level::text FROM sharded_global.badge")).containsExactly("low");
    }

    @Test
    void whatIsTruncatedOrHasNoKeyIsRefused() {
        assertThatThrownBy(() -> original.execute("TRUNCATE sharded_global.role CASCADE"))
                .hasStackTraceContaining("is not truncated");
        original.execute("CREATE TABLE sharded_global.keyless (id int)");
        assertThatThrownBy(() -> mover().replicate(GLOBAL, Set.of("keyless")))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContaining("sharded_global.keyless");
        original.execute("INSERT INTO sharded_global.keyless VALUES (1); UPDATE sharded_global.keyless SET id = 2");
    }

    @Test
    void aTableThatHasLostItsKeyIsNamed() {
        original.execute("ALTER TABLE sharded_global.role DROP CONSTRAINT role_pkey CASCADE");
        assertThatThrownBy(() -> original.execute("UPDATE sharded_global.role SET name = 'x' WHERE id = 1"))
                .hasStackTraceContaining("replica identity");
        assertThatThrownBy(() -> mover().replicate(GLOBAL, TABLES))
                .isInstanceOf(MoveRefusedException.class)
                .hasMessageContainingAll("sharded_global.role", "has no primary key", "Create it, and its key");
    }

    /** The reference is left without its row, which is documented; a copy that has missed the deletion is not repaired silently. */
    @Test
    void aDeletionOfAReferencedRowArrivesAndIsNamedIfItCannot() throws SQLException {
        write("insert into sharded_id_shard.person (role_id) values (2)");
        String subscription = subscription();
        copy.execute("ALTER SUBSCRIPTION " + subscription + " DISABLE");
        original.execute("DELETE FROM sharded_global.role WHERE id = 2");
        assertThat(mover().replicate(GLOBAL, TABLES).get("pg2"))
                .contains("violates foreign key", "Key (id)=(2)", "Insert these rows again, or remove the references");
        assertThat(routing.replicationLag()).containsEntry("pg2", -1L);
        original.execute("INSERT INTO sharded_global.role VALUES (2, 'again')");
        assertThat(mover().replicate(GLOBAL, TABLES)).isEmpty();
        original.execute("DELETE FROM sharded_global.role WHERE id = 2");
        routing.awaitReplicated(LONG);
        assertThat(copied()).containsExactly("(1,admin)");
    }

    /** The other copies would not be fed any more if this were noticed later. */
    @Test
    void anotherPrimaryKeyIsRefusedBeforeAnythingChangesWhileForeignKeysReferToTheCopy() throws SQLException {
        String subscription = created();
        original.execute("ALTER TABLE sharded_global.role RENAME COLUMN id TO code");
        assertThat(mover().replicate(GLOBAL, TABLES).get("pg2"))
                .contains("primary keys", "[role]", "shard_0001.person.person_role_id_fkey");
        assertThat(created()).isEqualTo(subscription);
        assertThat(routing.replicationLag().get("pg2")).isNotNegative();
        copy.execute("ALTER TABLE shard_0001.person DROP CONSTRAINT person_role_id_fkey;"
                + " ALTER TABLE shard_0001.person_role DROP CONSTRAINT person_role_roles_id_fkey");
        assertThat(mover().replicate(GLOBAL, TABLES)).isEmpty();
        original.execute("INSERT INTO sharded_global.role (code, name) VALUES (3, 'more')");
        routing.awaitReplicated(LONG);
        assertThat(copy.query("SELECT name FROM sharded_global.role ORDER BY code"))
                .containsExactly("admin", "guest", "more");
    }

    /** A process that is killed lets its server end all others, and recover as from a crash. */
    @Test
    void replicationGoesOnAfterItsProcessesAreKilled() throws SQLException {
        routing.awaitReplicated(LONG);
        for (TestDatabase each : List.of(original, copy)) {
            String process = each.equals(original)
                    ? "SELECT active_pid FROM pg_replication_slots WHERE database = current_database()"
                    : "SELECT pid FROM pg_stat_subscription WHERE subname = '" + subscription() + "'";
            String pid = each.query(process).get(0);
            assertThatThrownBy(() -> each.execute("COPY (SELECT 1) TO PROGRAM 'kill -9 " + pid + "; sleep 10'"))
                    .hasStackTraceContaining("TestDatabase.execute");
            await().ignoreExceptions().until(() -> each.query("SELECT 1").size() == 1);
            await().ignoreExceptions()
                    .until(() ->
                            original.query("UPDATE sharded_global.role SET name = name || '+' WHERE id = 1 RETURNING 1")
                                            .size()
                                    == 1);
            await().ignoreExceptions().until(() -> {
                routing.awaitReplicated(LONG);
                return true;
            });
        }
        assertThat(copied()).containsExactly("(1,admin++)", "(2,guest)");
    }

    private String subscription() {
        return copy.query("SELECT subname FROM pg_subscription WHERE subname LIKE 'sharded_id_global_%'")
                .get(0);
    }

    @Test
    void structureFollowsMigrations() throws SQLException {
        original.execute(
                "ALTER TABLE sharded_global.role ADD COLUMN level int; UPDATE sharded_global.role SET level = id * 10;"
                        + " CREATE INDEX role_level ON sharded_global.role (level)");
        assertThat(mover().replicate(GLOBAL, TABLES)).isEmpty();
        assertThat(copied()).containsExactly("(1,admin,10)", "(2,guest,20)");
        original.execute("ALTER TABLE sharded_global.role DROP COLUMN level, ALTER COLUMN id TYPE bigint;"
                + " INSERT INTO sharded_global.role VALUES (3, 'more')");
        assertThat(mover().replicate(GLOBAL, TABLES)).isEmpty();
        original.execute("UPDATE sharded_global.role SET name = 'less' WHERE id = 3");
        routing.awaitReplicated(LONG);
        assertThat(copied()).containsExactly("(1,admin)", "(2,guest)", "(3,less)");
    }

    @Test
    void aShardWithForeignKeysMoves() throws SQLException {
        write("insert into sharded_id_shard.person (role_id) values (2)");
        assertThatThrownBy(() -> write("insert into sharded_id_shard.person (role_id) values (77)"))
                .hasStackTraceContaining("violates foreign key");
        mover().move(1, "pg1");
        mover().dropOldCopy(1, "pg2");
        mover().move(1, "pg2");
        assertThat(copy.query("SELECT r.name FROM shard_0001.person p JOIN sharded_global.role r ON r.id = p.role_id"))
                .containsExactly("guest");
        mover().move(0, "pg2");
        mover().dropOldCopy(0, "pg1");
        copy.execute("ALTER SUBSCRIPTION " + subscription() + " DISABLE");
        assertThat(mover().check(0, "pg1")).isEmpty();
    }
}
