package io.github.shardedid.benchmarks.query;

import io.github.shardedid.benchmarks.jpa.SavedByDatabase;
import io.github.shardedid.benchmarks.jpa.Sessions;
import io.github.shardedid.benchmarks.peers.Photo;
import io.github.shardedid.benchmarks.peers.SamePhotos;
import io.github.shardedid.benchmarks.peers.ShardingSphere;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;

/** Photos of many shards, asked for by us, by ShardingSphere, and in a single table, each by Hibernate. */
final class ManyShards implements AutoCloseable {
    static final String OURS = "shards";
    static final String TABLE = "one table";
    static final String SHARDING_SPHERE = "ShardingSphere-JDBC";
    static final int IDS = 100;
    static final int SHARDS_OF_IDS = 20;

    /** ShardingSphere's start reads the meta data of all tables; of 2,000 it had not ended after five minutes. */
    private static final int MOST_TABLES = 500;

    private static final int SEED = 20;

    private final SamePhotos photos;
    private final @Nullable DataSource shardingSphere;
    private final Map<String, Asking> askings = new LinkedHashMap<>();
    private final Random random = new Random(SEED);

    /** Prepares three databases. */
    ManyShards(int shards, int rowsPerShard, Database first, Database second, Database single) throws SQLException {
        photos = new SamePhotos(shards, rowsPerShard, first, second, single);
        shardingSphere = shards > MOST_TABLES ? null : ShardingSphere.over(photos);
        SessionFactory ours = Sessions.of(photos.sharded().dataSource(), SavedByDatabase.class);
        BiConsumer<ShardSet, Runnable> nowhere = (set, work) -> work.run();
        askings.put(OURS, new Asking(ours, SavedByDatabase.class, photos, ShardContext::run));
        askings.put(TABLE, new Asking(Sessions.of(photos.plainPool(), Photo.class), Photo.class, photos, nowhere));
        if (shardingSphere != null) {
            askings.put(
                    SHARDING_SPHERE,
                    new Asking(Sessions.of(shardingSphere, Photo.class), Photo.class, photos, nowhere));
        }
    }

    SamePhotos photos() {
        return photos;
    }

    List<String> names() {
        return List.copyOf(askings.keySet());
    }

    Asking by(String name) {
        return Objects.requireNonNull(askings.get(name), name);
    }

    /** The shards that ids are of. */
    static ShardSet shardsOf(List<Long> ids) {
        return ShardSet.of(ids.stream().map(IdLayout.DEFAULT::shardOf).collect(Collectors.toSet()));
    }

    /** As many ids of each of twenty shards, spread over both databases; of the single table, any. */
    List<Long> someIds(String name) throws SQLException {
        if (name.equals(TABLE)) {
            return random.longs(1, photos.rows() + 1)
                    .distinct()
                    .limit(ids())
                    .boxed()
                    .collect(Collectors.toList());
        }
        int shards = Math.min(SHARDS_OF_IDS, photos.shards());
        int start = random.nextInt(photos.shards());
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < shards; i++) {
            ids.addAll(photos.ids((start + i * photos.shards() / shards) % photos.shards(), IDS / shards));
        }
        return ids;
    }

    private long ids() {
        return Math.min(IDS, photos.rows());
    }

    @Override
    public void close() throws Exception {
        askings.values().forEach(asking -> asking.sessions().close());
        if (shardingSphere != null) {
            ((AutoCloseable) shardingSphere).close();
        }
        photos.close();
    }
}
