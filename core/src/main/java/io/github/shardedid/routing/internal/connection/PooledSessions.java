package io.github.shardedid.routing.internal.connection;

import java.sql.SQLFeatureNotSupportedException;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Sessions behind a pooler, whose search path cannot be set for longer than a transaction: the role's own path has to do for
 * statements that name their schema.
 */
final class PooledSessions {
    private static final Pattern SHARD = Pattern.compile("shard_\\d{4,}.*");

    private PooledSessions() {}

    /** Refuses a path without the common schemas, under which operators of extensions would not be found, or with a shard's. */
    static void check(String database, String path, String common) throws SQLFeatureNotSupportedException {
        Set<String> names = names(path);
        boolean ofShard = names.stream().anyMatch(name -> SHARD.matcher(name).matches());
        if (ofShard || !names.containsAll(names(common))) {
            throw new SQLFeatureNotSupportedException("Database " + database
                    + " is behind a pooler, and the search path"
                    + " of its sessions is " + path + ", which must name no shard, but the common schemas: " + common
                    + ". Set it for the role: ALTER ROLE … IN DATABASE … SET search_path = " + common
                    + ", and let the pooler reconnect; or name other schemas as common ones.");
        }
    }

    private static Set<String> names(String path) {
        return Arrays.stream(path.split(",")).map(String::strip).collect(Collectors.toSet());
    }
}
