package io.github.shardedid.provisioning.internal;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.operations.internal.Inquiry.Answers;
import io.github.shardedid.operations.internal.SearchPath;
import io.github.shardedid.operations.internal.SessionLock;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredCluster;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.topology.ShardRanges;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds shards to a living cluster if more are configured than its databases store. All databases have to be reachable; a run that
 * dies is continued by the next one, wherever it was:
 *
 * <ol>
 *   <li>Under a lock on each database, in the order of their names, the new shards are assigned: where the configured ranges say, or
 *       evenly to the databases that own shards. Their rows are {@code CREATING}; those of an earlier run stay where they are.
 *   <li>Their schemas are created and migrated as those of a new cluster. No shard map contains them yet, since all maps have the
 *       shards below the stored number.
 *   <li>Under the same locks the new number is stored in each database. From the first one on, maps contain the new shards: ids of
 *       them are found, and queries over all shards ask them. No row is placed in them.
 *   <li>When all databases have the number, its time is stored in each. Two minutes later by its clock, shard maps open the new shards
 *       for rows without a shard key. Until then each instance has loaded its map, or loads it before its next query over all shards.
 * </ol>
 *
 * <p>Keys that decide by modulo or hash go on over {@code key_shards}, the number that the cluster was created with, for entities old and
 * new: so no row moves, and rows with the same key of two entities stay in one shard.
 */
record ShardAddition(ClusterDefinition definition, EveryDatabase all) {
    private static final Logger LOG = LoggerFactory.getLogger(ShardAddition.class);
    private static final String STORE = Sql.load(ShardAddition.class, "announce_shards.sql");

    private static final String OPEN = Sql.load(ShardAddition.class, "open_shards.sql");
    private static final String NOTIFY = "SELECT pg_catalog.pg_notify('sharded_id_map', '')";

    private interface Task {
        void on(Map<String, Connection> held, List<DatabaseState> states) throws SQLException;
    }

    /** Returns what the database with the most shards stores. One of them is provisioned. */
    static StoredCluster latest(Collection<DatabaseState> states) {
        return states.stream()
                .filter(DatabaseState::provisioned)
                .map(DatabaseState::cluster)
                .flatMap(Stream::ofNullable)
                .max(Comparator.comparingInt(StoredCluster::shardCount))
                .orElseThrow();
    }

    /** Refuses a start that may not add the shards that it is configured with. */
    static void requireNone(ClusterDefinition definition, Collection<DatabaseState> states) {
        if (states.stream().anyMatch(DatabaseState::provisioned)) {
            int stored = latest(states).shardCount();
            if (stored < definition.shardCount()) {
                throw new ProvisioningException(
                        Reason.UNPROVISIONED,
                        "The cluster has " + stored + " shards, but " + definition.shardCount()
                                + " are configured. Provision it first, which adds the others, with a user that may create schemas."
                                + " Nothing was changed.");
            }
        }
    }

    /** Assigns new shards to databases. Returns whether there may be new rows. */
    boolean prepare(Answers<DatabaseState> found) {
        int before = latest(found.results().values()).shardCount();
        if (before >= definition.shardCount()) {
            return false;
        }
        if (!found.unreachable().isEmpty()) {
            LOG.warn(
                    "The cluster keeps its {} shards for now: adding those up to {} needs all databases, but these cannot be"
                            + " reached: {}",
                    before,
                    definition.shardCount(),
                    found.unreachable());
            return false;
        }
        locked(this::assign);
        return true;
    }

    private void assign(Map<String, Connection> held, List<DatabaseState> states) throws SQLException {
        int before = latest(states).shardCount();
        Set<Integer> known = requireAll(states, before, shard -> !shard.state().equals(StoredShard.MOVED));
        for (Map.Entry<String, ShardRanges> part : parts(states, before).entrySet()) {
            List<String> added = part.getValue()
                    .shards()
                    .filter(shard -> !known.contains(shard))
                    .mapToObj(Integer::toString)
                    .toList();
            MetaInstallation.own(Objects.requireNonNull(held.get(part.getKey())), added);
            if (!added.isEmpty()) {
                LOG.info(
                        "Database {} gets {} of the shards {} to {}",
                        part.getKey(),
                        added.size(),
                        before,
                        definition.shardCount() - 1);
            }
        }
    }

    /** Returns the new shards by database. */
    private Map<String, ShardRanges> parts(List<DatabaseState> states, int before) {
        Map<String, ShardRanges> parts = new LinkedHashMap<>();
        definition.initialShards().forEach((name, ranges) -> {
            IntStream added = ranges.shards().filter(shard -> shard >= before);
            parts.put(name, ShardRanges.of(added.toArray()));
        });
        if (parts.values().stream().allMatch(ShardRanges::isEmpty)) {
            Set<String> owners = states.stream()
                    .filter(state -> state.shards().stream().anyMatch(StoredShard::served))
                    .map(DatabaseState::name)
                    .collect(Collectors.toSet());
            parts.keySet().retainAll(owners);
            int added = definition.shardCount() - before;
            int number = 0;
            for (Map.Entry<String, ShardRanges> part : parts.entrySet()) {
                int first = before + added * number / owners.size();
                int next = before + added * ++number / owners.size();
                part.setValue(ShardRanges.of(IntStream.range(first, next).toArray()));
            }
        }
        ShardRanges.checkCover(parts, before, definition.shardCount());
        return parts;
    }

    /** Tells the databases of the new shards, if these are complete; does nothing if all know them. */
    void announce(Answers<DatabaseState> found) {
        boolean needed = found.results().values().stream()
                .map(DatabaseState::cluster)
                .flatMap(Stream::ofNullable)
                .anyMatch(stored -> !stored.complete() || stored.shardCount() < definition.shardCount());
        if (needed && found.unreachable().isEmpty()) {
            locked(this::store);
        }
    }

    private void store(Map<String, Connection> held, List<DatabaseState> states) throws SQLException {
        requireAll(states, definition.shardCount(), shard -> shard.served() || shard.moving());
        for (Connection connection : held.values()) {
            Sql.update(connection, STORE, definition.shardCount(), definition.shardCount());
        }
        for (Connection connection : held.values()) {
            Sql.update(connection, OPEN);
            Sql.strings(connection, NOTIFY);
        }
        LOG.info(
                "The cluster has {} shards. New rows are placed in all of them in two minutes",
                definition.shardCount());
    }

    /** Returns the shards that databases have in a state; refuses to go on without one of the first shards. */
    private static Set<Integer> requireAll(List<DatabaseState> states, int count, Predicate<StoredShard> state) {
        Set<Integer> known = states.stream()
                .flatMap(each -> each.shards().stream())
                .filter(state)
                .map(StoredShard::shard)
                .collect(Collectors.toSet());
        int[] missing = IntStream.range(0, count)
                .filter(shard -> !known.contains(shard))
                .toArray();
        if (missing.length > 0) {
            throw ClusterConfigurationException.Reason.SHARD_OWNERSHIP.of(
                    "No shards can be added: none of the configured databases has the shards " + ShardRanges.of(missing)
                            + ". Configure or restore the database that owns them, and provision again.");
        }
        return known;
    }

    private void locked(Task task) {
        locked(List.copyOf(new TreeSet<>(all.databases().keySet())), new TreeMap<>(), task);
    }

    /** Each instance locks the databases in the same order, so that none waits for another one that waits for it. */
    private void locked(List<String> names, Map<String, Connection> held, Task task) {
        Map<String, String> unreachable = all.only(names.subList(0, 1))
                .run((name, connection) -> SearchPath.pinned(connection, () -> {
                    try (SessionLock lock = SessionLock.take(name, connection, SessionLock.CLUSTER)) {
                        held.put(name, connection);
                        if (names.size() > 1) {
                            locked(names.subList(1, names.size()), held, task);
                        } else {
                            task.on(held, states(held));
                        }
                        return name;
                    }
                }))
                .unreachable();
        if (!unreachable.isEmpty()) {
            throw new ProvisioningException(
                    Reason.UNREACHABLE_DATABASE,
                    "Adding shards needs all databases, but these cannot be reached any more: " + unreachable
                            + ". Start them and provision again.");
        }
    }

    private static List<DatabaseState> states(Map<String, Connection> held) throws SQLException {
        List<DatabaseState> states = new ArrayList<>();
        for (Map.Entry<String, Connection> each : held.entrySet()) {
            states.add(DatabaseState.read(each.getKey(), each.getValue()));
        }
        return states;
    }
}
