package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.boot.app.PhotoSharing;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardOwnership;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A map of eight shards in database pg1, in place of the map of the databases, which are not there. */
@Configuration(proxyBeanMethods = false)
@AutoConfigurationPackage(basePackageClasses = PhotoSharing.class)
public class FixedMap {
    @Bean
    public CurrentShardMap map() {
        Collection<ShardOwnership> all = IntStream.range(0, 8)
                .mapToObj(shard -> new ShardOwnership(shard, "pg1", 1))
                .toList();
        return CurrentShardMap.fixed(new ShardMap(8, List.copyOf(all), Map.of()));
    }
}
