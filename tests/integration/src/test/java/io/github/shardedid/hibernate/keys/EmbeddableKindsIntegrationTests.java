package io.github.shardedid.hibernate.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.WrongShardException;
import io.github.shardedid.test.TestCluster;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.ManyToOne;
import java.io.Serializable;
import java.util.Objects;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.CompositeType;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;
import org.hibernate.metamodel.spi.ValueAccess;
import org.hibernate.usertype.CompositeUserType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Embeddables whose class does not have all attributes, or not as Hibernate names them. */
@Tag("quick")
class EmbeddableKindsIntegrationTests {
    static TestCluster databases;

    @BeforeAll
    static void start() {
        databases = new TestCluster(IdLayout.DEFAULT, KeyedCluster.SHARDS, 2, "classpath:db/keys");
        for (int shard = 0; shard < KeyedCluster.SHARDS; shard++) {
            String schema = "shard_000" + shard + ".";
            databases
                    .home(shard)
                    .execute("CREATE SEQUENCE " + schema + "at_site_id_seq MINVALUE 0; CREATE TABLE " + schema
                            + "at_site (id bigint PRIMARY KEY, note text, site_dtype text, street text, floor int,"
                            + " owner_id bigint, tenant text); CREATE SEQUENCE " + schema
                            + "priced_id_seq MINVALUE 0; CREATE TABLE " + schema
                            + "priced (id bigint PRIMARY KEY, note text, amount bigint, currency text)");
        }
    }

    @AfterAll
    static void stop() {
        databases.close();
    }

    private static SessionFactory sessions(Class<?>... entities) {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.setPhysicalNamingStrategy(new PhysicalNamingStrategySnakeCaseImpl());
        return configuration.addAnnotatedClasses(entities).buildSessionFactory();
    }

    private static long id(int shard) {
        return IdLayout.DEFAULT.encode(1_000_000 + shard, shard, 1);
    }

    @Test
    void anEmbeddableWithASubclass() {
        try (SessionFactory sessions = sessions(AtSite.class, Site.class, Floor.class)) {
            AtSite plain = new AtSite();
            plain.id = id(3);
            plain.site.street = "a street";
            sessions.inTransaction(session -> session.persist(plain));
            sessions.inTransaction(session -> session.find(AtSite.class, plain.id).site.street = "another");
            AtSite floor = new AtSite();
            floor.key(4);
            sessions.inTransaction(session -> session.persist(floor));
            assertThat(databases.idsIn(4, "at_site")).containsOnly(floor.id);
            refused(WrongShardException.class, "Nothing of the row was sent", sessions, found -> found.key(5), floor);
            refused(
                    WrongShardException.class,
                    "Associations cannot cross shards",
                    sessions,
                    found -> ((Floor) found.site).owner = stranger(sessions),
                    floor);
            refused(
                    NoShardException.class,
                    "Set the shard key before the entity is saved",
                    () -> sessions.inTransaction(session -> session.persist(new AtSite())));
        }
    }

    private static AtSite stranger(SessionFactory sessions) {
        return sessions.fromSession(session -> session.getReference(AtSite.class, id(5)));
    }

    private static void refused(
            Class<? extends Exception> by, String words, SessionFactory sessions, Consumer<AtSite> change, AtSite row) {
        refused(by, words, () -> sessions.inTransaction(session -> change.accept(session.find(AtSite.class, row.id))));
    }

    private static void refused(Class<? extends Exception> by, String words, ThrowingCallable work) {
        assertThatThrownBy(work).hasStackTraceContaining(by.getName()).hasStackTraceContaining(words);
    }

    @Test
    void anEmbeddableWithAUserType() {
        try (SessionFactory sessions = sessions(Priced.class)) {
            Priced row = new Priced();
            row.id = id(3);
            row.price = new Money(3, "EUR");
            sessions.inTransaction(session -> session.persist(row));
            assertThat(databases.idsIn(3, "priced")).contains(row.id);
        }
    }

    @Entity(name = "AtSite")
    static class AtSite extends Keyed {
        @Embedded
        Site site = new Site();

        @Override
        void key(@Nullable Integer shard) {
            Floor floor = new Floor();
            floor.tenant = shard == null ? null : KeyedCluster.text(shard);
            site = floor;
        }
    }

    @Embeddable
    static class Site {
        @Nullable
        String street;
    }

    @Embeddable
    static class Floor extends Site {
        @Nullable
        Integer floor;

        @ManyToOne
        @Nullable
        AtSite owner;

        @ShardKey
        @Nullable
        String tenant;
    }

    @Entity(name = "Priced")
    static class Priced extends Keyed {
        @Embedded
        @CompositeType(MoneyType.class)
        @Nullable
        Money price;

        @Override
        void key(@Nullable Integer shard) {}
    }

    record Money(long cents, String code) implements Serializable {}

    static class MoneyType implements CompositeUserType<Money> {
        static class Mapper {
            long amount;
            String currency = "";
        }

        @Override
        public Object getPropertyValue(Money money, int property) {
            return property == 0 ? (Object) money.cents() : money.code();
        }

        @Override
        public Money instantiate(ValueAccess values) {
            return new Money(
                    Objects.requireNonNull(values.getValue(0, Long.class)),
                    Objects.requireNonNull(values.getValue(1, String.class)));
        }

        @Override
        public Class<?> embeddable() {
            return Mapper.class;
        }

        @Override
        public Class<Money> returnedClass() {
            return Money.class;
        }

        @Override
        public boolean equals(Money a, Money b) {
            return Objects.equals(a, b);
        }

        @Override
        public int hashCode(Money money) {
            return money.hashCode();
        }

        @Override
        public Money deepCopy(Money money) {
            return money;
        }

        @Override
        public boolean isMutable() {
            return false;
        }

        @Override
        public Serializable disassemble(Money money) {
            return money;
        }

        @Override
        public Money assemble(Serializable cached, Object owner) {
            return (Money) cached;
        }

        @Override
        public Money replace(Money detached, Money managed, Object owner) {
            return detached;
        }
    }
}
