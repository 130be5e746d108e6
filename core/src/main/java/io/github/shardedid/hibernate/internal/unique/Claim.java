package io.github.shardedid.hibernate.internal.unique;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A value that a row has, or is about to have.
 *
 * @param text what is claimed, see {@link UniqueKey}
 * @param id the row, whose shard the id names
 */
public record Claim(UniqueKey key, String text, long id) {
    /** Returns claims by the shard that has them, in the order of the shards. */
    static Map<Integer, List<Claim>> byShard(Collection<Claim> claims, int keyShards) {
        return claims.stream()
                .collect(Collectors.groupingBy(
                        claim -> UniqueKey.shardOf(claim.text, keyShards), TreeMap::new, Collectors.toList()));
    }
}
