package io.github.shardedid.benchmarks.peers;

import io.github.shardedid.benchmarks.jpa.SavedByDatabase;
import io.github.shardedid.benchmarks.jpa.Sessions;
import io.github.shardedid.benchmarks.peers.Reading.Lead;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.routing.ShardContext;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;

/** The same photos read by us, by plain JPA and by the peers, with the same Hibernate and the same pools. */
final class Readings implements AutoCloseable {
    static final String OURS = "ours";
    static final String PLAIN = "plain JPA on one database";
    static final String SHARDING_SPHERE = "ShardingSphere-JDBC";
    static final String SEARCH_PATH = "`AbstractRoutingDataSource` and `SET search_path`";
    static final String TENANTS = "Hibernate's multi-tenancy by schema";

    private static final int SHARDS = 8;
    private static final int IDS_OF_A_SHARD = 125;
    /** So many that no planner reads a shard's table whole rather than by its index. */
    private static final int ROWS_OF_A_SHARD = 100 * SamePhotos.PHOTOS_OF_A_USER;

    private final SamePhotos photos;
    private final DataSource shardingSphere;
    private final Map<String, Reading> readings = new LinkedHashMap<>();

    /** Prepares three databases. */
    Readings(Database first, Database second, Database single) throws SQLException {
        photos = new SamePhotos(SHARDS, ROWS_OF_A_SHARD, first, second, single);
        shardingSphere = ShardingSphere.over(photos);
        List<Long> ids = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            ids.addAll(photos.ids(shard, IDS_OF_A_SHARD));
        }
        List<Long> plainIds = LongStream.rangeClosed(1, ids.size()).boxed().toList();
        SessionFactory ours = Sessions.of(photos.sharded().dataSource(), SavedByDatabase.class);
        add(OURS, ours, SavedByDatabase.class, ids, Lead.NOT_NEEDED, ShardContext::run);
        add(PLAIN, plainly(photos.plainPool()), plainIds, Lead.NOT_NEEDED);
        add(SHARDING_SPHERE, plainly(shardingSphere), ids, Lead.NOT_NEEDED);
        add(SEARCH_PATH, plainly(new SearchPathRouting(photos)), ids, ShardSchemas::within);
        add(TENANTS, Sessions.of(SchemaTenants.settings(photos), Photo.class), ids, ShardSchemas::within);
    }

    private static SessionFactory plainly(DataSource source) {
        return Sessions.of(source, Photo.class);
    }

    private void add(String name, SessionFactory sessions, List<Long> ids, Lead lead) {
        add(name, sessions, Photo.class, ids, lead, lead);
    }

    private void add(
            String name, SessionFactory sessions, Class<?> entity, List<Long> ids, Lead forFind, Lead forQuery) {
        readings.put(name, new Reading(sessions, entity, ids, SHARDS, photos.users(), forFind, forQuery));
    }

    List<String> names() {
        return List.copyOf(readings.keySet());
    }

    Reading by(String name) {
        return Objects.requireNonNull(readings.get(name), name);
    }

    @Override
    public void close() throws Exception {
        readings.values().forEach(reading -> reading.sessions().close());
        ((AutoCloseable) shardingSphere).close();
        photos.close();
    }
}
