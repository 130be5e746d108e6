package io.github.shardedid.libraries;

import static io.github.shardedid.libraries.RunningLibraries.bean;
import static io.github.shardedid.libraries.RunningLibraries.databaseOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.audited.Agreement;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.ShardKeys;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.hibernate.StaleObjectStateException;
import org.hibernate.StatelessSession;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.cfg.JdbcSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Hibernate 7.4.13 reads the tenant of a row before a stateless session writes it, in the open scope; 7.4.5 did not. */
class TenantChecksIntegrationTests {
    private static final int SHARD = 6;
    private static final int OTHER = 2;
    private static final String TENANT = tenant(0);
    private static final String NEIGHBOR = tenant(1);

    private static SessionFactory factory;

    /** The number-th of the tenants in the shard. */
    private static String tenant(int number) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "tenant " + i)
                .filter(text -> ShardKeys.shardOf(text, 8) == SHARD)
                .skip(number)
                .findFirst()
                .orElseThrow();
    }

    @BeforeAll
    static void start() {
        for (int shard = 0; shard < 8; shard++) {
            databaseOf(shard)
                    .execute(("CREATE TABLE $.agreement (id bigint PRIMARY KEY, tenant text NOT NULL);"
                                    + "CREATE SEQUENCE $.agreement_id_seq MINVALUE 0;"
                                    + "CREATE TABLE $.agreement_party (agreement_id bigint NOT NULL, party text)")
                            .replace("$.", "shard_000" + shard + "."));
        }
        factory = new MetadataSources(new StandardServiceRegistryBuilder()
                        .applySetting(JdbcSettings.JAKARTA_NON_JTA_DATASOURCE, bean(DataSource.class))
                        .build())
                .addAnnotatedClasses(Agreement.class)
                .buildMetadata()
                .buildSessionFactory();
    }

    @AfterAll
    static void stop() {
        factory.close();
    }

    private static long newId(int number) {
        return IdLayout.DEFAULT.encode(1, SHARD, number);
    }

    private static void inSession(String tenant, Consumer<StatelessSession> work) {
        try (StatelessSession session =
                factory.withStatelessOptions().tenantIdentifier((Object) tenant).openStatelessSession()) {
            session.beginTransaction();
            work.accept(session);
            session.getTransaction().commit();
        }
    }

    private static List<String> parties(long id) {
        return databaseOf(SHARD)
                .query("SELECT party FROM shard_0006.agreement_party WHERE agreement_id = " + id + " ORDER BY 1");
    }

    @Test
    void anUpsertIsWrittenInTheScopeOfItsRowOnly() {
        long id = newId(1);
        inSession(TENANT, session -> ShardContext.run(SHARD, () -> session.upsert(new Agreement(id, TENANT, "one"))));
        assertThat(parties(id)).containsExactly("one");
        // Hibernate does not find the row in the other shard, and takes it for a new one.
        assertThatThrownBy(() -> inSession(
                        NEIGHBOR,
                        session ->
                                ShardContext.run(OTHER, () -> session.upsert(new Agreement(id, NEIGHBOR, "stolen")))))
                .hasStackTraceContaining(NoShardException.class.getName())
                .hasStackTraceContaining("The session's tenant has its rows in shard 6");
        assertThatThrownBy(() -> inSession(
                        NEIGHBOR,
                        session ->
                                ShardContext.run(SHARD, () -> session.upsert(new Agreement(id, NEIGHBOR, "stolen")))))
                .isInstanceOf(StaleObjectStateException.class);
        inSession(TENANT, session -> session.upsert(new Agreement(id, TENANT, "two")));
        assertThat(parties(id)).containsExactly("two");
    }

    @Test
    void updatesAndDeletesAreRefusedElsewhere() {
        long id = newId(2);
        inSession(TENANT, session -> session.insert(new Agreement(id, TENANT, "one")));
        for (Consumer<StatelessSession> write : List.<Consumer<StatelessSession>>of(
                session -> session.update(new Agreement(id, TENANT, "two")),
                session -> session.delete(new Agreement(id, TENANT)))) {
            assertThatThrownBy(() -> inSession(TENANT, session -> ShardContext.run(OTHER, () -> write.accept(session))))
                    .hasStackTraceContaining(NoShardException.class.getName());
            assertThat(parties(id)).containsExactly("one");
        }
        inSession(TENANT, session -> session.update(new Agreement(id, TENANT, "two")));
        assertThat(parties(id)).containsExactly("two");
        inSession(TENANT, session -> session.delete(new Agreement(id, TENANT)));
        assertThat(parties(id)).isEmpty();
    }
}
