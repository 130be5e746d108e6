package io.github.shardedid.hibernate.proxies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.matrix.MapCache;
import io.github.shardedid.hibernate.proxies.Zoo.Animal;
import io.github.shardedid.hibernate.proxies.Zoo.Cage;
import io.github.shardedid.hibernate.proxies.Zoo.Cat;
import io.github.shardedid.hibernate.proxies.Zoo.Circle;
import io.github.shardedid.hibernate.proxies.Zoo.Coin;
import io.github.shardedid.hibernate.proxies.Zoo.Ferry;
import io.github.shardedid.hibernate.proxies.Zoo.Shape;
import io.github.shardedid.hibernate.proxies.Zoo.Ship;
import io.github.shardedid.hibernate.proxies.Zoo.Token;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.test.TestCluster;
import jakarta.persistence.EntityNotFoundException;
import java.util.List;
import java.util.Objects;
import org.hibernate.Hibernate;
import org.hibernate.ObjectNotFoundException;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The class of a reference is read where its row is, whatever scope is open. */
@Tag("quick")
class ConcreteProxiesIntegrationTests {
    private static final int SHARD = 6;
    private static final int OTHER = 2;
    private static final long CAT = IdLayout.DEFAULT.encode(1, SHARD, 1);
    private static final long PLAIN = IdLayout.DEFAULT.encode(1, SHARD, 2);

    private static TestCluster databases;
    private static SessionFactory sessions;

    @BeforeAll
    static void start() {
        databases = new TestCluster(IdLayout.DEFAULT, 8, 2, "classpath:db/keys");
        for (int shard = 0; shard < 8; shard++) {
            databases
                    .home(shard)
                    .execute("SET search_path = shard_000" + shard + "; " + Zoo.TABLES + "RESET search_path");
        }
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.setProperty("hibernate.cache.region.factory_class", MapCache.class.getName());
        configuration.setProperty("jakarta.persistence.sharedCache.mode", "ENABLE_SELECTIVE");
        configuration.setPhysicalNamingStrategy(new PhysicalNamingStrategySnakeCaseImpl());
        sessions = configuration.addAnnotatedClasses(Zoo.ENTITIES).buildSessionFactory();
        databases
                .home(SHARD)
                .execute(("INSERT INTO $.animal VALUES (" + CAT + ", 'Cat', 'tom', 9), (" + PLAIN
                                + ", 'Animal', 'it', null);"
                                + "INSERT INTO $.ship VALUES (" + CAT + ", 'a ferry'), (" + PLAIN + ", 'a ship');"
                                + "INSERT INTO $.ferry VALUES (" + CAT + ", 50);"
                                + "INSERT INTO $.circle VALUES (" + CAT + ", 'a circle', 1);"
                                + "INSERT INTO $.shape VALUES (" + PLAIN + ", 'a shape');"
                                + "INSERT INTO $.cage VALUES (" + CAT + ", " + CAT + ");"
                                + "INSERT INTO $.token VALUES (5, 'Coin', 14, 1)")
                        .replace("$", "shard_0006"));
        databases.home(OTHER).execute("INSERT INTO shard_0002.token VALUES (5, 'Token', 10, null)");
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

    private static void inEachScope(Runnable work) {
        work.run();
        for (Target scope : List.of(Target.shard(OTHER), Target.shard(SHARD), Target.global(), ShardSet.all())) {
            ShardContext.run(scope, work);
        }
    }

    private static Class<?> referenced(Class<?> entity, long id) {
        return sessions.fromTransaction(session -> {
            Object reference = session.getReference(entity, id);
            assertThat(Hibernate.isInitialized(reference)).isFalse();
            return Hibernate.getClassLazy(reference);
        });
    }

    @Test
    void referencesInHierarchiesOfEachKind() {
        inEachScope(() -> {
            assertThat(referenced(Animal.class, CAT)).isEqualTo(Cat.class);
            assertThat(referenced(Animal.class, PLAIN)).isEqualTo(Animal.class);
            assertThat(referenced(Ship.class, CAT)).isEqualTo(Ferry.class);
            assertThat(referenced(Ship.class, PLAIN)).isEqualTo(Ship.class);
            assertThat(referenced(Shape.class, CAT)).isEqualTo(Circle.class);
            assertThat(referenced(Shape.class, PLAIN)).isEqualTo(Shape.class);
        });
    }

    @Test
    void theReferenceOfACachedRow() {
        sessions.inTransaction(
                session -> assertThat(session.find(Cage.class, CAT)).isNotNull());
        assertThat(sessions.getCache().containsEntity(Cage.class, CAT)).isTrue();
        inEachScope(() -> sessions.inTransaction(session -> {
            Animal animal = Objects.requireNonNull(session.find(Cage.class, CAT).animal);
            assertThat(animal).isInstanceOf(Cat.class);
            assertThat(animal.getName()).isEqualTo("tom");
        }));
    }

    @Test
    void rowsThatDoNotExist() {
        inEachScope(() -> sessions.inTransaction(session -> {
            assertThatThrownBy(() -> session.getReference(Animal.class, IdLayout.DEFAULT.encode(1, SHARD, 9)))
                    .isInstanceOf(EntityNotFoundException.class);
            // No shard can have generated it, which is known without a statement.
            Animal reference = session.getReference(Animal.class, IdLayout.DEFAULT.encode(1, 1000, 9));
            assertThatThrownBy(reference::getName).isInstanceOf(ObjectNotFoundException.class);
        }));
    }

    @Test
    void idsThatNameNoShardAreLookedForInTheScope() {
        for (boolean coin : new boolean[] {true, false}) {
            sessions.inTransaction(session -> {
                Token reference = ShardContext.call(coin ? SHARD : OTHER, () -> session.getReference(Token.class, 5));
                assertThat(Hibernate.getClassLazy(reference)).isEqualTo(coin ? Coin.class : Token.class);
            });
        }
        sessions.inTransaction(session ->
                assertThatThrownBy(() -> session.getReference(Token.class, 5)).isInstanceOf(NoShardException.class));
    }
}
