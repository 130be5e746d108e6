package io.github.shardedid.routing.internal.sql;

import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.target.Place;
import io.github.shardedid.routing.MixedStatementException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;

/** Whose schemas a SQL text names by their placeholders. */
public enum NamedSchemas {
    NONE,
    SHARD,
    GLOBAL,
    MIXED;

    NamedSchemas and(NamedSchemas other) {
        return this == NONE || this == other ? other : MIXED;
    }

    /** Whether the schema of the global entities is among them. */
    public boolean nameGlobal() {
        return this == GLOBAL || this == MIXED;
    }

    /**
     * Where a statement goes: to the global entities if it names them, else to the place of the scope.
     *
     * @throws MixedStatementException if it names both
     * @throws NoShardException if it names a shard's schema, or none, and no scope tells which
     */
    public int place(String sql, ConnectionSettings settings) {
        return switch (this) {
            case MIXED ->
                throw new MixedStatementException("Sharded and global tables are in one statement, which no database"
                        + " can answer, since they may be on different servers: " + SqlText.brief(sql)
                        + ". Associations between the two are not joined: leave out join fetch, or the entity graph's"
                        + " node, and let the other row be loaded by its id; or ask with two queries.");
            case GLOBAL -> Place.GLOBAL;
            case NONE -> Place.ofStatement(sql, settings);
            case SHARD -> {
                if (ShardContext.isGlobal()) {
                    throw new NoShardException("A statement for the tables of a shard was about to be sent in the scope"
                            + " of the global database: " + SqlText.brief(sql)
                            + ". Name its shard with ShardContext.run(shard, ...); native SQL names global tables"
                            + " without a schema, or as " + RoutingDataSource.GLOBAL_PLACEHOLDER
                            + ".<table>, never with {h-schema}.");
                }
                yield Place.ofStatement(sql, settings);
            }
        };
    }
}
