package io.github.shardedid.benchmarks.peers;

import io.github.shardedid.id.IdLayout;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.shardingsphere.sharding.api.sharding.complex.ComplexKeysShardingAlgorithm;
import org.apache.shardingsphere.sharding.api.sharding.complex.ComplexKeysShardingValue;

/** The sharding algorithm for ShardingSphere: returns the table or the database of an id or a user. Names are cached. */
public final class PhotoSharding implements ComplexKeysShardingAlgorithm<Long> {
    private List<String> names = List.of();

    /** Called by ShardingSphere. */
    public PhotoSharding() {}

    @Override
    public void init(Properties settings) {
        int shards = Integer.parseInt(settings.getProperty("shards"));
        boolean tables = settings.getProperty("target").equals("table");
        names = IntStream.range(0, shards)
                .mapToObj(shard -> tables ? "photo_" + shard : ShardingSphere.databaseOf(shard < shards / 2 ? 0 : 1))
                .toList();
    }

    @Override
    public Collection<String> doSharding(Collection<String> available, ComplexKeysShardingValue<Long> value) {
        Map<String, Collection<Long>> known = value.getColumnNameAndShardingValuesMap();
        Set<String> targets = new LinkedHashSet<>();
        for (long id : known.getOrDefault("id", List.of())) {
            targets.add(names.get(IdLayout.DEFAULT.shardOf(id)));
        }
        for (long user : known.getOrDefault("user_id", List.of())) {
            targets.add(names.get((int) (user % names.size())));
        }
        targets.removeIf(target -> !available.contains(target));
        return targets;
    }
}
