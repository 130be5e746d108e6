package io.github.shardedid.provisioning.internal;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.operations.internal.Transaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of shards that databases serve although another one serves a later generation, because they were restored from
 * a backup older than a move. They are fenced when they are found: an instance that starts while the owner is down would serve them.
 */
public final class OutdatedCopies {
    private static final Logger LOG = LoggerFactory.getLogger(OutdatedCopies.class);

    private final Map<String, List<StoredShard>> byDatabase = new TreeMap<>();

    public OutdatedCopies(Collection<DatabaseState> states) {
        Map<Integer, Long> newest = new HashMap<>();
        states.forEach(
                state -> served(state).forEach(shard -> newest.merge(shard.shard(), shard.generation(), Math::max)));
        states.forEach(state -> {
            List<StoredShard> outdated = served(state)
                    .filter(shard -> shard.generation() < newest.getOrDefault(shard.shard(), 0L))
                    .toList();
            if (!outdated.isEmpty()) {
                byDatabase.put(state.name(), outdated);
            }
        });
    }

    private static Stream<StoredShard> served(DatabaseState state) {
        return state.shards().stream().filter(StoredShard::served);
    }

    boolean contains(String database, StoredShard shard) {
        return byDatabase.getOrDefault(database, List.of()).contains(shard);
    }

    /** Fences them. The shard map reports those that cannot be fenced now, with what to do. */
    public void fence(EveryDatabase databases) {
        try {
            databases.only(byDatabase.keySet()).run(Duration.ZERO, (name, connection) -> {
                for (StoredShard shard : byDatabase.getOrDefault(name, List.of())) {
                    fence(name, connection, shard);
                }
                return name;
            });
        } catch (ShardedIdException e) {
            LOG.warn("Outdated copies of shards could not be fenced", e);
        }
    }

    private static void fence(String name, Connection connection, StoredShard shard) throws SQLException {
        Transaction.run(connection, () -> {
            Sql.execute(connection, "SET LOCAL lock_timeout = '5s'");
            String fenced =
                    Sql.text(connection, "SELECT sharded_id.set_aside(?, ?)", shard.shard(), shard.generation());
            if (fenced != null) {
                LOG.warn(
                        "Database {} was restored from a backup older than a move of shard {}: its copy of"
                                + " generation {} is fenced as schema {}. Another database owns the shard",
                        name,
                        shard.shard(),
                        shard.generation(),
                        fenced);
            }
        });
    }
}
