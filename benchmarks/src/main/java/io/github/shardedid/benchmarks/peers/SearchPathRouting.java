package io.github.shardedid.benchmarks.peers;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** Spring's {@code AbstractRoutingDataSource} with the pool of the shard's database, and {@code SET search_path} for the schema. */
final class SearchPathRouting extends AbstractRoutingDataSource {
    private final SamePhotos photos;

    SearchPathRouting(SamePhotos photos) {
        this.photos = photos;
        Map<Object, Object> pools = IntStream.range(0, photos.schemaPools().size())
                .boxed()
                .collect(Collectors.toMap(i -> i, photos.schemaPools()::get));
        setTargetDataSources(pools);
        afterPropertiesSet();
    }

    @Override
    protected Object determineCurrentLookupKey() {
        return photos.databaseOf(ShardSchemas.current());
    }

    @Override
    public Connection getConnection() throws SQLException {
        return ShardSchemas.use(super.getConnection(), ShardSchemas.current());
    }
}
