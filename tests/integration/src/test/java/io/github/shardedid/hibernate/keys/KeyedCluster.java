package io.github.shardedid.hibernate.keys;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.ShardKeys;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;

/** Eight shards on two servers with rows of every kind of shard key. */
final class KeyedCluster implements AutoCloseable {
    static final int SHARDS = 8;

    /** The kinds of shard keys, and the table of an entity with such a one. */
    enum Kind {
        NUMBER("by_number"),
        TEXT("by_text"),
        REFERENCE("by_reference"),
        EMBEDDABLE("by_place"),
        SUPERCLASS("paper"),
        SUBCLASS("paper");

        final String table;

        Kind(String table) {
            this.table = table;
        }

        Keyed make(@Nullable Long id, @Nullable Integer keyOf) {
            Keyed made =
                    switch (this) {
                        case NUMBER -> new ByNumber();
                        case TEXT -> new ByText();
                        case REFERENCE -> new ByReference();
                        case EMBEDDABLE -> new ByPlace();
                        case SUPERCLASS -> new Paper();
                        case SUBCLASS -> new Paper.Contract();
                    };
            made.id = id;
            made.key(keyOf);
            return made;
        }
    }

    final TestCluster databases = new TestCluster(IdLayout.DEFAULT, SHARDS, 2, "classpath:db/keys");
    final SessionFactory sessions;
    private final AtomicLong milliseconds = new AtomicLong(1_000_000);

    KeyedCluster() {
        sessions = configuration().buildSessionFactory();
    }

    Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.setProperty("hibernate.jdbc.batch_size", "20");
        configuration.setProperty("hibernate.generate_statistics", "true");
        configuration.setPhysicalNamingStrategy(new PhysicalNamingStrategySnakeCaseImpl());
        configuration.addAnnotatedClasses(
                ByNumber.class,
                BySmall.class,
                ByText.class,
                ByReference.class,
                ByPlace.class,
                Paper.class,
                Paper.Contract.class,
                Delivery.class);
        return configuration;
    }

    /** A text that says a shard. */
    static String text(int shard) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "key " + i)
                .filter(key -> ShardKeys.shardOf(key, SHARDS) == shard)
                .findFirst()
                .orElseThrow();
    }

    /** An id of no row. */
    long newId(int shard) {
        return IdLayout.DEFAULT.encode(milliseconds.incrementAndGet(), shard, 1);
    }

    /** A row in a shard that its key says, too. */
    <E extends Keyed> E saved(E entity, int shard) {
        entity.id = newId(shard);
        entity.key(shard);
        sessions.inTransaction(session -> session.persist(entity));
        return entity;
    }

    /** All rows of a table, in the schemas of all shards. */
    String rows(String table) {
        StringBuilder rows = new StringBuilder();
        for (int shard = 0; shard < SHARDS; shard++) {
            rows.append(databases.home(shard).query("SELECT t::text FROM shard_000" + shard + "." + table + " t"));
        }
        return rows.toString();
    }

    void forEachShard(Consumer<Integer> work) {
        IntStream.range(0, SHARDS).boxed().forEach(work);
    }

    @Override
    public void close() {
        sessions.close();
        databases.close();
    }
}
