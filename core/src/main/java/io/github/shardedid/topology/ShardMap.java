package io.github.shardedid.topology;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.ClusterConfigurationException.Reason;
import io.github.shardedid.topology.RestoredCopies.OutdatedCopy;
import io.github.shardedid.topology.ShardOwnership.Standing;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The database of each logical shard, as recorded in the databases at one moment. Immutable and thread-safe; a change is a
 * new map.
 */
public final class ShardMap {
    private final @Nullable ShardOwnership[] homes;
    /** The databases of the shards that are not moving, since each statement asks for one. */
    private final @Nullable String[] serving;

    private final Map<String, String> unreachable;
    private final Map<Integer, ShardOwnership> unowned;
    private final List<OutdatedCopy> outdated;
    private final List<OutdatedCopy> suspects;
    private final int keyShards;
    private final ShardMap forNewRows;

    /**
     * Creates a map of a cluster to which no shards were added: keys and new rows are distributed over all of them.
     *
     * @param shardCount the number of shards of the cluster; they are numbered 0 to {@code shardCount - 1}
     * @param ownerships the records of all reachable databases; of two owners of a shard the higher generation wins
     * @param unreachable the databases that could not be reached, each with the reason
     * @throws IllegalArgumentException if the number of shards is less than 1
     * @throws ClusterConfigurationException as {@link #ShardMap(int, int, int, Collection, Map)} does
     */
    public ShardMap(int shardCount, Collection<ShardOwnership> ownerships, Map<String, String> unreachable) {
        this(shardCount, shardCount, shardCount, ownerships, unreachable);
    }

    /**
     * Creates a map from the records of the databases.
     *
     * @param shardCount the number of shards of the cluster; they are numbered 0 to {@code shardCount - 1}
     * @param openShards the number of shards that new rows are placed in, from shard 0 on; at most {@code shardCount}
     * @param keyShards the number of shards over which keys are distributed by modulo or hash; 0 if no database has said it yet
     * @param ownerships the records of all reachable databases; of two owners of a shard the higher generation wins
     * @param unreachable the databases that could not be reached, each with the reason
     * @throws IllegalArgumentException if the number of shards is less than 1
     * @throws ClusterConfigurationException if two databases own a shard in the same, highest generation, if a shard has no owner
     *     although every database was reached, or if an owned shard is not part of the cluster
     */
    public ShardMap(
            int shardCount,
            int openShards,
            int keyShards,
            Collection<ShardOwnership> ownerships,
            Map<String, String> unreachable) {
        if (shardCount < 1) {
            throw new IllegalArgumentException("A cluster must have at least 1 shard, not " + shardCount + ".");
        }
        this.homes = new ShardOwnership[shardCount];
        this.unreachable = Map.copyOf(unreachable);
        // Highest generation first, so that two outdated claims of one generation do not conflict.
        ownerships.stream()
                .filter(claim -> claim.standing() != Standing.LEFT)
                .sorted(Comparator.comparingLong(ShardOwnership::generation).reversed())
                .forEach(this::settle);
        settleMoved(ownerships);
        this.serving = serving(homes);
        this.unowned = Map.of();
        this.outdated = List.of();
        this.suspects = unreachable.isEmpty() ? OutdatedCopy.of(ownerships, homes) : List.of();
        int[] missing = unownedShards();
        if (missing.length > 0 && unreachable.isEmpty()) {
            throw Reason.SHARD_OWNERSHIP.of(
                    "No database owns " + ShardRanges.of(missing) + " (" + missing.length
                            + " of the cluster's " + shardCount
                            + " shards), although all databases were queried (sharded_id.shard). Check whether a database was replaced by"
                            + " an empty one, or removed from the configuration. Restore or configure it. Nothing was changed.");
        }
        this.keyShards = keyShards;
        this.forNewRows = openShards < shardCount ? new ShardMap(this, openShards) : this;
    }

    /** The part of a map with the first shards only. */
    private ShardMap(ShardMap map, int shardCount) {
        this.homes = Arrays.copyOf(map.homes, shardCount);
        this.serving = Arrays.copyOf(map.serving, shardCount);
        this.unreachable = map.unreachable;
        this.unowned = map.unowned;
        this.outdated = map.outdated;
        this.suspects = map.suspects;
        this.keyShards = map.keyShards;
        this.forNewRows = this;
    }

    private void settle(ShardOwnership claim) {
        if (claim.shard() < 0 || claim.shard() >= homes.length) {
            throw Reason.SHARD_OWNERSHIP.of(
                    "Database " + claim.database() + " owns shard " + claim.shard()
                            + ", but the cluster has " + homes.length + " shards, 0 to " + (homes.length - 1)
                            + ". Check whether the configured number is right, and whether the database belongs to this cluster.");
        }
        ShardOwnership other = homes[claim.shard()];
        if (other != null && other.generation() == claim.generation()) {
            throw Reason.SHARD_OWNERSHIP.of("Shard " + claim.shard() + " is owned twice, by " + other.database()
                    + " and by " + claim.database() + ", both in generation " + claim.generation()
                    + ". Check whether one is a copy of the other, and correct sharded_id.shard in the database that should not"
                    + " own the shard.");
        }
        if (other == null) {
            homes[claim.shard()] = claim;
        }
    }

    /**
     * A shard that has left a database without an owner elsewhere is moving: its new home may have been queried earlier. The same
     * holds if its owner has an earlier generation, which was queried before the move or restored from a backup.
     */
    private void settleMoved(Collection<ShardOwnership> ownerships) {
        ownerships.stream()
                .filter(claim ->
                        claim.standing() == Standing.LEFT && claim.shard() >= 0 && claim.shard() < homes.length)
                .sorted(Comparator.comparingLong(ShardOwnership::generation).reversed())
                .forEach(claim -> {
                    ShardOwnership home = homes[claim.shard()];
                    if (home == null || home.generation() < claim.generation()) {
                        homes[claim.shard()] = claim;
                    }
                });
        if (!unreachable.isEmpty()) {
            Arrays.setAll(homes, shard -> isLeft(homes[shard]) ? null : homes[shard]);
        }
    }

    private static @Nullable String[] serving(@Nullable ShardOwnership[] homes) {
        return Arrays.stream(homes)
                .map(home -> home == null || home.standing() != Standing.SERVING ? null : home.database())
                .toArray(String[]::new);
    }

    @Nullable
    ShardOwnership home(int shard) {
        return shard < 0 || shard >= homes.length ? null : homes[shard];
    }

    private static boolean isLeft(@Nullable ShardOwnership home) {
        return home != null && home.standing() == Standing.LEFT;
    }

    /** What is the same in two maps, the second loaded after the first was complete, is not a move in progress. */
    private ShardMap(ShardMap map, ShardMap earlier, Set<String> databases) {
        this.homes = map.homes.clone();
        this.unreachable = map.unreachable;
        this.unowned = new TreeMap<>();
        for (int shard = 0; shard < homes.length; shard++) {
            ShardOwnership home = homes[shard];
            if (home != null
                    && isLeft(home)
                    && home.equals(earlier.home(shard))
                    && (home.successor() == null || databases.contains(home.successor()))) {
                unowned.put(shard, home);
                homes[shard] = null;
            }
        }
        this.serving = serving(homes);
        this.outdated = map.suspects.stream().filter(earlier.suspects::contains).toList();
        this.suspects = List.of();
        this.keyShards = map.keyShards;
        int open = map.forNewRows.homes.length;
        this.forNewRows = open < homes.length ? new ShardMap(this, open) : this;
    }

    /**
     * Returns whether the map contains a state that is temporary during a move, but permanent after a database was restored from a
     * backup older than a move. In this case load another map, see {@link #confirming}.
     *
     * @return true if a shard is moving, or is claimed by two databases
     */
    public boolean isDoubtful() {
        return !suspects.isEmpty() || Arrays.stream(homes).anyMatch(ShardMap::isLeft);
    }

    /**
     * This map, in which everything doubtful that an earlier map also contains is confirmed: unowned shards, see
     * {@link #unownedShards()}, and {@link #problems()}.
     *
     * @param earlier the map that was complete before this one was loaded
     * @param databases the names of the databases that the application is configured with
     * @return another map
     */
    public ShardMap confirming(ShardMap earlier, Set<String> databases) {
        return new ShardMap(this, earlier, databases);
    }

    /**
     * The permanent problems in the ownership of shards, such as a shard that no database owns since one was restored from a
     * backup older than a move, and what to do.
     *
     * @return a text for each pair of databases concerned; empty if there are no problems
     */
    public List<String> problems() {
        return RestoredCopies.texts(unowned.values(), outdated);
    }

    /**
     * The reason why no database owns a shard, although all databases were reached.
     *
     * @param shard the logical shard
     * @return the reason and what to do; null if the shard has a home, or if a database could not be reached
     */
    public @Nullable String unownedBecause(int shard) {
        ShardOwnership last = unowned.get(shard);
        return last == null ? null : RestoredCopies.unowned(List.of(last));
    }

    /** {@return the number of logical shards, 1 or more, which can be raised, but never lowered; they are numbered from 0} */
    public int shardCount() {
        return homes.length;
    }

    /**
     * The number of shards over which keys are distributed by modulo or hash: the number that the cluster was created with. It never
     * changes, so that a key keeps its shard when shards are added.
     *
     * @return 1 or more; 0 if no database has said it yet
     */
    public int keyShards() {
        return keyShards;
    }

    /**
     * The part of this map in which rows without a shard key are placed. It lacks shards that were added less than two minutes ago,
     * which other instances of the application may not know yet.
     *
     * @return this map if no shards were added
     */
    public ShardMap forNewRows() {
        return forNewRows;
    }

    /** Returns whether a database that could be reached has said what it owns. */
    boolean isAnswered() {
        return unreachable.isEmpty()
                || Arrays.stream(homes).anyMatch(home -> home != null && !unreachable.containsKey(home.database()));
    }

    /**
     * The database that owns a shard.
     *
     * @param shard the logical shard
     * @return the database's name
     * @throws UnknownShardException if the cluster has no such shard
     * @throws UnownedShardException if no reachable database owns it
     */
    public String databaseOf(int shard) {
        if (shard < 0 || shard >= homes.length) {
            throw UnknownShardException.of(shard, homes.length);
        }
        String database = serving[shard];
        if (database != null) {
            return database;
        }
        ShardOwnership home = homes[shard];
        if (home == null) {
            String because = unownedBecause(shard);
            if (because != null) {
                throw new UnownedShardException(because);
            }
            boolean slow = unreachable.values().stream().anyMatch(reason -> reason.contains("timed out"));
            throw new UnownedShardException("No reachable database owns shard " + shard + ". Unreachable databases: "
                    + new TreeMap<>(unreachable)
                    + (slow
                            ? ". One that has timed out may run, and be too slow: it is asked again by itself. Relieve its"
                                    + " machine or this one, or raise the limit. Start those that are down."
                            : ". Start them again.")
                    + " Other shards are not affected.");
        }
        return home.database();
    }

    /**
     * Returns whether a shard is moving to another database, so that statements should wait for the next map; only a hint.
     *
     * @param shard the logical shard
     * @return false also if the shard is unowned, or if there is no such shard
     */
    public boolean isFenced(int shard) {
        return home(shard) != null && serving[shard] == null;
    }

    /**
     * Returns whether no database serves a shard, because it is fenced, or has left a database and not arrived yet.
     *
     * @param shard the logical shard
     * @return false also if the shard is unowned, or if there is no such shard
     */
    public boolean isBlocked(int shard) {
        ShardOwnership home = home(shard);
        return home != null && (home.standing() == Standing.FENCED || isLeft(home));
    }

    /**
     * Returns whether a database is a shard's home and serves it, so that statements may be sent there.
     *
     * @param shard the logical shard
     * @param database a database's name
     * @return false also if the shard is fenced or unowned, or if there is no such shard
     */
    public boolean isServedBy(int shard, String database) {
        return home(shard) != null && database.equals(serving[shard]);
    }

    /**
     * The generation of a shard, which each move increments.
     *
     * @param shard the logical shard
     * @return 1 or more; 0 if the shard is unowned, or if there is no such shard
     */
    public long generationOf(int shard) {
        ShardOwnership home = home(shard);
        return home == null ? 0 : home.generation();
    }

    /**
     * The database to which a shard is moving, or has moved, as the database says that had it before. It may not be configured here.
     *
     * @param shard the logical shard
     * @return the database's name; null if none is recorded
     */
    public @Nullable String successorOf(int shard) {
        ShardOwnership home = home(shard);
        return home == null ? null : home.successor();
    }

    /**
     * The shards of a database.
     *
     * @param database a database's name
     * @return its shards in ascending order; empty if it owns none or could not be reached
     */
    public int[] shardsOf(String database) {
        return IntStream.range(0, homes.length)
                .filter(shard -> {
                    ShardOwnership home = homes[shard];
                    return home != null && home.database().equals(database);
                })
                .toArray();
    }

    /** {@return the unowned shards; empty unless a database could not be reached, or was restored, see {@link #problems()}} */
    public int[] unownedShards() {
        return IntStream.range(0, homes.length)
                .filter(shard -> homes[shard] == null)
                .toArray();
    }

    /** {@return the names of the databases that could not be reached when this map was loaded} */
    public Set<String> unreachableDatabases() {
        return unreachable.keySet();
    }

    /** {@return the same databases, each with the reason} */
    public Map<String, String> unreachableReasons() {
        return unreachable;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ShardMap map
                && Arrays.equals(homes, map.homes)
                && keyShards == map.keyShards
                && forNewRows.homes.length == map.forNewRows.homes.length
                && unowned.equals(map.unowned)
                && outdated.equals(map.outdated)
                && unreachable.keySet().equals(map.unreachable.keySet());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(homes);
    }
}
