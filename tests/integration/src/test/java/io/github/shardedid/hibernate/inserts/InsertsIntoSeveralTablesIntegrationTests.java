package io.github.shardedid.hibernate.inserts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.ForeignShardException;
import io.github.shardedid.hibernate.ShardKeyMismatchException;
import io.github.shardedid.hibernate.inserts.Letters.Author;
import io.github.shardedid.hibernate.inserts.Letters.Joined;
import io.github.shardedid.hibernate.inserts.Letters.Posted;
import io.github.shardedid.hibernate.inserts.Letters.Remark;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.GlobalDatabase;
import io.github.shardedid.topology.ShardKeys;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;
import org.hibernate.query.sqm.mutation.internal.inline.InlineMutationStrategy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An HQL insert into several tables is checked as one into one table. Hibernate translates it in another way. */
class InsertsIntoSeveralTablesIntegrationTests {
    private static final int SHARDS = 8;
    private static final int SHARD = 3;
    private static final int ELSEWHERE = 6;

    /** By entity, the tables of its rows. */
    private static final Map<String, List<String>> TABLES = Map.of(
            "Joined", List.of("joined"),
            "JoinedLetter", List.of("joined", "joined_letter"),
            "Sealed", List.of("sealed", "seal"),
            "Union", List.of("united"),
            "UnionLetter", List.of("united_letter"),
            "Soft", List.of("soft"),
            "SoftLetter", List.of("soft", "soft_letter"));

    static final List<String> SHARDED = TABLES.keySet().stream().sorted().toList();

    private static final AtomicLong MILLISECONDS = new AtomicLong(1_000_000);

    private static TestCluster databases;
    private static SessionFactory sessions;

    @BeforeAll
    static void start() {
        databases = new TestCluster(
                IdLayout.DEFAULT,
                SHARDS,
                2,
                GlobalDatabase.on("pg2"),
                "classpath:db/membership/global",
                "classpath:db/membership/shard");
        for (int shard = 0; shard < SHARDS; shard++) {
            databases
                    .home(shard)
                    .execute("SET search_path = shard_000" + shard + "; " + Letters.TABLES + "RESET search_path");
        }
        databases.home(7).execute("SET search_path = sharded_global; " + Letters.GLOBAL_TABLES + "RESET search_path");
        sessions = configuration().buildSessionFactory();
    }

    private static Configuration configuration() {
        Configuration configuration = new Configuration().addAnnotatedClasses(Letters.ENTITIES);
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.setProperty("hibernate.generate_statistics", "true");
        configuration.setPhysicalNamingStrategy(new PhysicalNamingStrategySnakeCaseImpl());
        return configuration;
    }

    @AfterAll
    static void stop() {
        sessions.close();
        databases.close();
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(databases.activeConnections()).isZero();
    }

    private static long newId(int shard) {
        return IdLayout.DEFAULT.encode(MILLISECONDS.incrementAndGet(), shard, 1);
    }

    private static String tenant(int shard) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "tenant " + i)
                .filter(tenant -> ShardKeys.shardOf(tenant, SHARDS) == shard)
                .findFirst()
                .orElseThrow();
    }

    private static boolean isLetter(String entity) {
        return entity.endsWith("Letter") || entity.equals("Sealed");
    }

    /** The first part of a statement, with the columns of all tables. */
    private static String into(String entity) {
        return "insert into " + entity + " (id, tenant, words" + (isLetter(entity) ? ", receiver)" : ")");
    }

    private static String values(String entity, String id) {
        return "(" + id + ", :tenant, 'new'" + (isLetter(entity) ? ", 'reader')" : ")");
    }

    private static int execute(SessionFactory factory, String hql, Map<String, ?> values) {
        return factory.fromTransaction(session -> {
            var query = session.createMutationQuery(hql);
            values.forEach(query::setParameter);
            return query.executeUpdate();
        });
    }

    private static int executeIn(int shard, String hql, Map<String, ?> values) {
        return ShardContext.call(shard, () -> execute(sessions, hql, values));
    }

    private static List<String> tables(String entity) {
        return Objects.requireNonNull(TABLES.get(entity));
    }

    /** The rows of an entity in each shard. */
    private static List<String> rows(String entity) {
        return rowsOf(tables(entity));
    }

    private static List<String> rowsOf(List<String> tables) {
        return IntStream.range(0, SHARDS)
                .boxed()
                .flatMap(
                        shard -> tables.stream()
                                .flatMap(table -> databases
                                        .home(shard)
                                        .query("SELECT t::text FROM shard_000" + shard + "." + table + " t")
                                        .stream()
                                        .map(row -> shard + ": " + row)))
                .toList();
    }

    private static long inserted(String entity) {
        long id = newId(SHARD);
        assertThat(executeIn(
                        SHARD,
                        into(entity) + " values " + values(entity, ":id"),
                        Map.of("id", id, "tenant", tenant(SHARD))))
                .isOne();
        return id;
    }

    /** Hibernate reads it by a statement of its own, as soon as the row is inserted: before the flush, if its id is a column default. */
    @Test
    void whatTheDatabaseGeneratesIsReadInTheShardOfTheNewRow() {
        for (Target scope : List.of(Target.shard(SHARD), Target.shard(ELSEWHERE), ShardSet.all())) {
            Posted posted = new Posted(tenant(SHARD), "reader");
            ShardContext.run(scope, () -> sessions.inTransaction(session -> session.persist(posted)));
            assertThat(posted.mark).isEqualTo("posted");
            assertThat(IdLayout.DEFAULT.shardOf(Objects.requireNonNull(posted.id)))
                    .isEqualTo(SHARD);
        }
    }

    @ParameterizedTest
    @FieldSource("SHARDED")
    void theKeyAndTheIdOfExistingRowsAreNotSet(String entity) {
        theKeyAndTheIdOfExistingRowsAreNotSet(sessions, entity);
    }

    /** Another strategy for several tables is guarded, too. */
    @Test
    void norByAnotherStrategy() {
        try (SessionFactory factory = configuration()
                .setProperty("hibernate.query.insert_strategy", "local_temporary")
                .setProperty("hibernate.query.mutation_strategy", InlineMutationStrategy.class.getName())
                .buildSessionFactory()) {
            SHARDED.forEach(entity -> theKeyAndTheIdOfExistingRowsAreNotSet(factory, entity));
        }
    }

    private static void theKeyAndTheIdOfExistingRowsAreNotSet(SessionFactory factory, String entity) {
        long id = inserted(entity);
        List<String> before = rows(entity);
        for (String set : List.of("tenant = :tenant", "words = 'other', tenant = excluded.tenant", "id = :other")) {
            String hql = into(entity) + " values " + values(entity, ":id") + " on conflict (id) do update set " + set;
            Map<String, Object> values = set.contains(":other")
                    ? Map.of("id", id, "tenant", tenant(ELSEWHERE), "other", newId(ELSEWHERE))
                    : Map.of("id", id, "tenant", tenant(ELSEWHERE));
            long sent = factory.getStatistics().getPrepareStatementCount();
            // The second time, Hibernate may have kept the translation.
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> ShardContext.run(SHARD, () -> execute(factory, hql, values)))
                        .as(hql)
                        .isInstanceOf(ShardKeyMismatchException.class);
            }
            assertThat(factory.getStatistics().getPrepareStatementCount()).isEqualTo(sent);
        }
        for (String set : List.of("tenant = :other", "words = 'x', tenant = :other")) {
            assertThatThrownBy(() -> ShardContext.run(
                            SHARD,
                            () -> execute(
                                    factory,
                                    "update " + entity + " set " + set + " where id = :id",
                                    Map.of("id", id, "other", tenant(ELSEWHERE)))))
                    .as(set)
                    .isInstanceOf(ShardKeyMismatchException.class);
        }
        assertThat(rows(entity)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Own", "OwnLetter"})
    void keysThatNothingChecksAreNotInserted(String entity) {
        for (String rest : List.of(
                " values " + values(entity, ":id"),
                " values " + values(entity, ":id") + " on conflict (id) do nothing",
                " select :id, :tenant, j.words" + (isLetter(entity) ? ", j.words" : "") + " from Joined j")) {
            assertThatThrownBy(() -> executeIn(
                            SHARD, into(entity) + rest, Map.of("id", new UUID(1, 1), "tenant", tenant(ELSEWHERE))))
                    .as(rest)
                    .isInstanceOf(ShardKeyMismatchException.class)
                    .hasMessageContaining("tenant");
        }
        assertThat(rowsOf(List.of("own", "own_letter"))).isEmpty();
    }

    /** An inner join with rows of other shards would leave rows out. */
    @ParameterizedTest
    @FieldSource("SHARDED")
    void rowsAreNotCopiedOverReferencesToOtherShards(String entity) {
        Author author = saved(ELSEWHERE, new Author());
        Remark remark = new Remark();
        remark.author = author;
        saved(SHARD, remark);
        List<String> before = rows(entity);
        String rest = isLetter(entity) ? ", r.author.words" : "";
        for (String select : List.of(
                " select :id, r.tenant, r.author.words" + rest + " from Remark r",
                " select :id, a.tenant, a.words" + (isLetter(entity) ? ", a.words" : "")
                        + " from Remark r join r.author a")) {
            assertThatThrownBy(() -> executeIn(SHARD, into(entity) + select, Map.of("id", newId(SHARD))))
                    .as(select)
                    .isInstanceOf(ForeignShardException.class);
        }
        assertThat(rows(entity)).isEqualTo(before);
    }

    private static <E extends Letters.OfTenant> E saved(int shard, E row) {
        row.id = newId(shard);
        row.tenant = tenant(shard);
        row.words = "of " + shard;
        sessions.inTransaction(session -> session.persist(row));
        return row;
    }

    @ParameterizedTest
    @FieldSource("SHARDED")
    void anIdOfAnotherShardIsRefused(String entity) {
        List<String> before = rows(entity);
        assertThatThrownBy(() -> executeIn(
                        SHARD,
                        into(entity) + " values " + values(entity, ":id"),
                        Map.of("id", newId(ELSEWHERE), "tenant", tenant(SHARD))))
                .isInstanceOf(ShardKeyMismatchException.class)
                .hasMessageContaining("of shard " + ELSEWHERE);
        assertThatThrownBy(() -> executeIn(
                        SHARD,
                        into(entity) + " values " + values(entity, ":id") + ", " + values(entity, ":other"),
                        Map.of("id", newId(SHARD), "other", newId(ELSEWHERE), "tenant", tenant(SHARD))))
                .isInstanceOf(ShardKeyMismatchException.class)
                .hasMessageContaining("of shard " + ELSEWHERE);
        assertThat(rows(entity)).isEqualTo(before);
    }

    @ParameterizedTest
    @FieldSource("SHARDED")
    void theValuesNameTheShard(String entity) {
        String hql = into(entity) + " values " + values(entity, ":id");
        for (Target scope : List.of(Target.shard(ELSEWHERE), Target.global(), ShardSet.all())) {
            Map<String, ?> values = Map.of("id", newId(SHARD), "tenant", tenant(SHARD));
            assertThat(ShardContext.<Integer>call(scope, () -> execute(sessions, hql, values)))
                    .as(scope.toString())
                    .isOne();
            assertThat(rows(entity))
                    .filteredOn(row -> row.contains("(" + values.get("id") + ","))
                    .isNotEmpty();
        }
        assertThat(execute(sessions, hql, Map.of("id", newId(SHARD), "tenant", tenant(SHARD))))
                .isOne();
    }

    @ParameterizedTest
    @FieldSource("SHARDED")
    void whatIsOfTheShardIsInserted(String entity) {
        Joined source = saved(SHARD, new Joined());
        long first = inserted(entity);
        long second = newId(SHARD);
        assertThat(executeIn(
                        SHARD,
                        into(entity) + " values " + values(entity, ":id") + ", " + values(entity, ":other"),
                        Map.of("id", newId(SHARD), "other", second, "tenant", tenant(SHARD))))
                .isEqualTo(2);
        onConflict(entity, first, second);
        long third = newId(SHARD);
        assertThat(executeIn(
                        SHARD,
                        into(entity) + " select :id, j.tenant, j.words" + (isLetter(entity) ? ", j.words" : "")
                                + " from Joined j where j.id = :source",
                        Map.of("id", third, "source", source.id)))
                .isOne();
        for (long id : new long[] {first, second, third}) {
            assertThat(rows(entity))
                    .filteredOn(row -> row.contains("(" + id + ","))
                    .hasSize(tables(entity).size());
        }
        // In another shard's scope, the statement goes where the id says.
        assertThat(executeIn(
                        ELSEWHERE, "update " + entity + " set words = 'changed' where id = :id", Map.of("id", first)))
                .isOne();
        assertThat(executeIn(ELSEWHERE, "delete from " + entity + " where id = :id", Map.of("id", second)))
                .isOne();
        assertThat(rows(entity)).anyMatch(row -> row.contains(first + "") && row.contains("changed"));
    }

    /** Hibernate itself cannot translate it for rows with {@code @SoftDelete}. */
    private static void onConflict(String entity, long first, long second) {
        if (entity.startsWith("Soft")) {
            return;
        }
        executeIn(
                SHARD,
                into(entity) + " values " + values(entity, ":id") + " on conflict (id) do nothing",
                Map.of("id", first, "tenant", tenant(SHARD)));
        executeIn(
                SHARD,
                into(entity) + " values " + values(entity, ":id")
                        + " on conflict (id) do update set words = 'conflict'",
                Map.of("id", second, "tenant", tenant(SHARD)));
        assertThat(rows(entity)).anyMatch(row -> row.contains(second + "") && row.contains("conflict"));
    }

    @Test
    void rowsOfTheGlobalDatabase() {
        Stream.of("Universal", "UniversalLetter").forEach(entity -> {
            String letter = entity.endsWith("Letter") ? ", receiver" : "";
            String into = "insert into " + entity + " (id, words" + letter + ") ";
            String values = "(:id, 'new'" + (letter.isEmpty() ? ")" : ", 'reader')");
            long id = entity.length();
            assertThat(execute(sessions, into + "values " + values, Map.of("id", id)))
                    .isOne();
            executeIn(
                    SHARD,
                    into + "values " + values + " on conflict (id) do update set words = 'changed'",
                    Map.of("id", id));
        });
        assertThat(databases.home(7).query("SELECT words FROM sharded_global.universal"))
                .containsExactly("changed", "changed");
    }
}
