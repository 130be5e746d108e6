package io.github.shardedid.ecosystem;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.databases.TwoDatabases;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestDatabase;
import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.parameters.JobParameters;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.JdbcUserDetailsManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Libraries of docs/libraries.md. Shards 0 to 3 are on pg1, 4 to 7 on pg2; the global database is pg1. */
@Tag("slow")
class EcosystemIntegrationTests {
    private static final TwoDatabases DATABASES = TwoDatabases.create();
    private static final TestDatabase PG1 = DATABASES.pg1();
    private static final TestDatabase PG2 = DATABASES.pg2();
    private static @Nullable ConfigurableApplicationContext context;

    @BeforeAll
    static void start() {
        context = DATABASES.start(
                EcosystemApp.class,
                "classpath:db/ecosystem",
                "--spring.jpa.properties.hibernate.cache.region.factory_class=jcache",
                "--spring.jpa.properties.hibernate.javax.cache.missing_cache_strategy=create",
                "--spring.jpa.properties.hibernate.generate_statistics=true");
    }

    @AfterAll
    static void stop() {
        if (context != null) {
            context.close();
        }
        DATABASES.drop();
    }

    private static <T> T bean(Class<T> type) {
        return requireNonNull(context).getBean(type);
    }

    private static GadgetRepository gadgets() {
        return bean(GadgetRepository.class);
    }

    private static Gadget gadget(int shard, String name) {
        return ShardContext.call(shard, () -> gadgets().save(new Gadget(name)));
    }

    private static void inTransaction(Runnable work) {
        new TransactionTemplate(bean(PlatformTransactionManager.class)).executeWithoutResult(status -> work.run());
    }

    @Test
    void jsonArraysEnumsEmbeddedRecordsAndFormulas() {
        Gadget gadget = new Gadget("drill");
        gadget.tags = new String[] {"red", "loud"};
        gadget.data = Map.of("volt", "230");
        gadget.size = new Gadget.Size(3, 4);
        gadget.kind = Gadget.Kind.TOY;
        gadget.state = Gadget.State.USED;
        ShardContext.run(6, () -> gadgets().save(gadget));

        Gadget found = gadgets().findById(gadget.id()).orElseThrow();

        assertThat(found.tags).containsExactly("red", "loud");
        assertThat(found.data).containsEntry("volt", "230");
        assertThat(found.size).isEqualTo(new Gadget.Size(3, 4));
        assertThat(found.kind).isEqualTo(Gadget.Kind.TOY);
        assertThat(found.state).isEqualTo(Gadget.State.USED);
        assertThat(PG2.query(
                        "SELECT kind || ' ' || state || ' ' || (data ->> 'volt') FROM shard_0006.gadget WHERE id = "
                                + gadget.id()))
                .containsExactly("TOY USED 230");
        inTransaction(() -> {
            bean(EntityManager.class).clear();
            requireNonNull(context).getBean(SessionFactory.class).getCache().evictEntityData();
            assertThat(gadgets().findById(gadget.id()).orElseThrow().shouted).isEqualTo("DRILL");
        });
    }

    @Test
    void versionsDynamicUpdatesAndAuditing() {
        Gadget gadget = gadget(5, "saw");
        assertThat(gadget.createdAt).isNotNull();
        assertThat(gadget.changedBy).isEqualTo("ada");
        Gadget stale = gadgets().findById(gadget.id()).orElseThrow();
        inTransaction(() -> gadgets().findById(gadget.id()).orElseThrow().name = "handsaw");

        assertThatThrownBy(() -> gadgets().save(renamed(stale))).isInstanceOf(OptimisticLockingFailureException.class);
        assertThat(gadgets().findById(gadget.id()).orElseThrow().version).isEqualTo(1);
    }

    private static Gadget renamed(Gadget gadget) {
        gadget.name = "jigsaw";
        return gadget;
    }

    @Test
    void softDeletedRowsAreKeptAndNotFound() {
        Gadget gadget = gadget(6, "pump");
        Part part = bean(PartRepository.class).save(new Part(gadget));
        Part kept = bean(PartRepository.class).save(new Part(gadget));
        bean(PartRepository.class).deleteById(part.id());

        assertThat(bean(PartRepository.class).findById(part.id())).isEmpty();
        assertThat(PG2.query("SELECT deleted FROM shard_0006.part WHERE id = " + part.id()))
                .containsExactly("t");
        inTransaction(() -> assertThat(gadgets().findById(gadget.id()).orElseThrow().parts)
                .extracting(Part::id)
                .containsExactly(kept.id()));
        requireNonNull(context).getBean(SessionFactory.class).getCache().evictEntityData();
        assertThat(gadgets().findById(gadget.id()).orElseThrow().partCount).isEqualTo(1);
    }

    @Test
    void ehcacheIsTheSecondLevelCache() {
        Gadget gadget = gadget(7, "cached");
        gadgets().findById(gadget.id());
        SessionFactory sessions = requireNonNull(context).getBean(SessionFactory.class);
        long hits = sessions.getStatistics().getSecondLevelCacheHitCount();
        assertThat(gadgets().findById(gadget.id())).isPresent();
        assertThat(sessions.getStatistics().getSecondLevelCacheHitCount()).isEqualTo(hits + 1);
    }

    @Test
    void jooqInAScope() {
        Gadget gadget = gadget(6, "jOOQ");
        DSLContext jooq = DSL.using(new TransactionAwareDataSourceProxy(bean(DataSource.class)), SQLDialect.POSTGRES);
        inTransaction(() -> ShardContext.run(6, () -> {
            assertThat(jooq.update(DSL.table("gadget"))
                            .set(DSL.field("name", String.class), "by jOOQ")
                            .where(DSL.field("id", Long.class).eq(gadget.id()))
                            .execute())
                    .isOne();
            assertThat(jooq.fetchCount(DSL.table("gadget"), DSL.field("name").eq("by jOOQ")))
                    .isOne();
        }));
        assertThatThrownBy(() -> jooq.fetchCount(DSL.table("gadget"))).hasStackTraceContaining("NoShardException");
    }

    @Test
    void mybatisInAScope() {
        Gadget gadget = gadget(4, "MyBatis");
        GadgetMapper mapper = bean(GadgetMapper.class);
        assertThat(ShardContext.<@Nullable String>call(4, () -> mapper.name(gadget.id())))
                .isEqualTo("MyBatis");
        assertThatThrownBy(() -> mapper.name(gadget.id())).hasStackTraceContaining("NoShardException");
    }

    @Test
    void springDataJdbcInAScope() {
        EntryRepository entries = bean(EntryRepository.class);
        Entry saved = ShardContext.call(6, () -> entries.save(new Entry(null, "first")));
        assertThat(PG2.query("SELECT text FROM shard_0006.ledger")).containsExactly("first");
        long id = requireNonNull(saved.id());
        assertThat(ShardContext.call(6, () -> entries.findById(id))).contains(saved);
        assertThatThrownBy(() -> entries.findById(id)).hasStackTraceContaining("NoShardException");
    }

    @Test
    void jdbcClientInAScope() {
        Gadget gadget = gadget(3, "JdbcClient");
        JdbcClient jdbc = bean(JdbcClient.class);
        assertThat(ShardContext.call(3, () -> jdbc.sql("SELECT name FROM gadget WHERE id = :id")
                        .param("id", gadget.id())
                        .query(String.class)
                        .single()))
                .isEqualTo("JdbcClient");
    }

    @Test
    void usersOfSpringSecurityAreGlobal() {
        DataSource global = requireNonNull(context).getBean("globalDataSource", DataSource.class);
        JdbcClient.create(global)
                .sql("CREATE TABLE users (username text PRIMARY KEY, password text, enabled boolean)")
                .update();
        JdbcClient.create(global)
                .sql("CREATE TABLE authorities (username text REFERENCES users, authority text)")
                .update();
        JdbcUserDetailsManager users = new JdbcUserDetailsManager(global);
        users.createUser(
                User.withUsername("ada").password("{noop}x").roles("ADMIN").build());

        assertThat(users.loadUserByUsername("ada").getAuthorities()).hasSize(1);
        assertThat(PG1.query("SELECT username FROM sharded_global.users")).containsExactly("ada");
    }

    @Test
    void batchWorksOnAPartitionForEachShard() throws Exception {
        List<Gadget> old = List.of(gadget(0, "old"), gadget(3, "old"), gadget(3, "old"), gadget(6, "old"));

        assertThat(bean(JobOperator.class)
                        .start(bean(Job.class), new JobParameters())
                        .getStatus())
                .isEqualTo(BatchStatus.COMPLETED);

        assertThat(old).noneMatch(gadget -> gadgets().existsById(gadget.id()));
        assertThat(PG1.query("SELECT count(*) FROM shard_0003.gadget WHERE retired"))
                .containsExactly("2");
        assertThat(PG1.query(
                        "SELECT count(*) FROM sharded_global.batch_step_execution WHERE step_name LIKE 'retire:%'"))
                .containsExactly("8");
    }
}
