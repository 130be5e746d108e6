package io.github.shardedid.topology;

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
 * Logical shard → database, as the databases themselves said at one moment. Immutable, hence safe for use by several
 * threads; a change is a new map.
 */
public final class ShardMap {
    private final @Nullable ShardOwnership[] homes;
    private final Map<String, String> unreachable;
    private final Map<Integer, ShardOwnership> unowned;
    private final List<OutdatedCopy> outdated;
    private final List<OutdatedCopy> suspects;

    /**
     * Makes a map of what the databases said.
     *
     * @param shardCount how many shards the cluster has; they are numbered 0 to {@code shardCount - 1}
     * @param ownerships what each reachable database owns; of two owners of a shard the higher generation wins
     * @param unreachable the databases that could not be asked, each with the reason
     * @throws IllegalArgumentException if there is to be no shard
     * @throws ShardOwnershipException if two databases own a shard in the same, highest generation, if a shard has no owner
     *     although every database was asked, or if an owned shard is not one of the cluster's
     */
    public ShardMap(int shardCount, Collection<ShardOwnership> ownerships, Map<String, String> unreachable) {
        if (shardCount < 1) {
            throw new IllegalArgumentException("A cluster has 1 or more shards, not " + shardCount + ".");
        }
        this.homes = new ShardOwnership[shardCount];
        this.unreachable = Map.copyOf(unreachable);
        // Highest first, so that two outdated claims of one generation cannot clash before the one that outdid both.
        ownerships.stream()
                .filter(claim -> claim.standing() != Standing.LEFT)
                .sorted(Comparator.comparingLong(ShardOwnership::generation).reversed())
                .forEach(this::settle);
        settleMoved(ownerships);
        this.unowned = Map.of();
        this.outdated = List.of();
        this.suspects = unreachable.isEmpty() ? OutdatedCopy.of(ownerships, homes) : List.of();
        int[] missing = IntStream.range(0, shardCount)
                .filter(shard -> homes[shard] == null)
                .toArray();
        if (missing.length > 0 && unreachable.isEmpty()) {
            throw ShardOwnershipException.unowned(missing, shardCount);
        }
    }

    private void settle(ShardOwnership claim) {
        if (claim.shard() < 0 || claim.shard() >= homes.length) {
            throw ShardOwnershipException.outside(claim, homes.length);
        }
        ShardOwnership other = homes[claim.shard()];
        if (other != null && other.generation() == claim.generation()) {
            throw ShardOwnershipException.ownedTwice(other, claim);
        }
        if (other == null) {
            homes[claim.shard()] = claim;
        }
    }

    /**
     * Whoever has left a shard knows at least that it is on its way: its new home may have been asked before. The same of an owner
     * in an earlier generation, which was asked before it moved on, or was restored from a backup.
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

    private static boolean isLeft(@Nullable ShardOwnership home) {
        return home != null && home.standing() == Standing.LEFT;
    }

    /** What two maps say alike, the second of which was asked for when the first was complete, is no move that is under way. */
    private ShardMap(ShardMap map, ShardMap earlier, Set<String> databases) {
        this.homes = map.homes.clone();
        this.unreachable = map.unreachable;
        this.unowned = new TreeMap<>();
        for (int shard = 0; shard < homes.length; shard++) {
            ShardOwnership home = homes[shard];
            if (home != null
                    && isLeft(home)
                    && home.equals(earlier.homes[shard])
                    && (home.successor() == null || databases.contains(home.successor()))) {
                unowned.put(shard, home);
                homes[shard] = null;
            }
        }
        this.outdated = map.suspects.stream().filter(earlier.suspects::contains).toList();
        this.suspects = List.of();
    }

    /**
     * Whether it says of some shard what is seen for a moment when a shard moves, and for ever when a database was restored from a
     * backup older than a move. Ask the databases once more then, see {@link #confirming}.
     *
     * @return true if a shard is on its way, or is claimed by two databases
     */
    public boolean isDoubtful() {
        return !suspects.isEmpty() || Arrays.stream(homes).anyMatch(ShardMap::isLeft);
    }

    /**
     * This map, certain of what it and an earlier one say alike: shards without an owner, see {@link #unownedShards()} and
     * {@link #problems()}.
     *
     * @param earlier the map that was made before the databases were asked for this one
     * @param databases the names of the databases that the application is configured with
     * @return another map
     */
    public ShardMap confirming(ShardMap earlier, Set<String> databases) {
        return new ShardMap(this, earlier, databases);
    }

    /**
     * What is wrong with the ownership of shards and does not pass by itself, such as a shard that no database owns since one was
     * restored from a backup older than a move; with what to do.
     *
     * @return a text for each pair of databases concerned; empty if all is well
     */
    public List<String> problems() {
        return RestoredCopies.texts(unowned.values(), outdated);
    }

    /**
     * Why no database owns a shard, although every one was asked.
     *
     * @param shard the logical shard
     * @return with what to do; null if it has a home, or its home is only not known because a database could not be asked
     */
    public @Nullable String unownedBecause(int shard) {
        ShardOwnership last = unowned.get(shard);
        return last == null ? null : RestoredCopies.unowned(List.of(last));
    }

    /**
     * The number of logical shards, fixed for the cluster's life.
     *
     * @return 1 or more; shards are numbered from 0
     */
    public int shardCount() {
        return homes.length;
    }

    /**
     * The database on which a shard lives.
     *
     * @param shard the logical shard
     * @return the database's name
     * @throws UnknownShardException if the cluster has no such shard
     * @throws UnownedShardException if no database that could be asked owns it, or none at all
     */
    public String databaseOf(int shard) {
        if (shard < 0 || shard >= homes.length) {
            throw UnknownShardException.of(shard, homes.length);
        }
        ShardOwnership home = homes[shard];
        if (home == null) {
            String because = unownedBecause(shard);
            if (because != null) {
                throw new UnownedShardException(because);
            }
            throw new UnownedShardException(
                    "Shard " + shard + " is owned by none of the databases that could be asked. Not reachable: "
                            + new TreeMap<>(unreachable) + ". Bring them back; other shards are not concerned.");
        }
        return home.database();
    }

    /**
     * Whether a shard is on its way to another database, so that statements had better wait for the next map. A hint only: the
     * databases themselves refuse what would go to the wrong one.
     *
     * @param shard the logical shard
     * @return false also if the shard's home is not known, or if there is no such shard
     */
    public boolean isFenced(int shard) {
        ShardOwnership home = shard < 0 || shard >= homes.length ? null : homes[shard];
        return home != null && home.standing() != Standing.SERVING;
    }

    /**
     * Whether a database is a shard's home and serves it, so that statements may be sent there.
     *
     * @param shard the logical shard
     * @param database a database's name
     * @return false also if the shard is fenced, if its home is not known, or if there is no such shard
     */
    public boolean isServedBy(int shard, String database) {
        ShardOwnership home = shard < 0 || shard >= homes.length ? null : homes[shard];
        return home != null
                && home.standing() == Standing.SERVING
                && home.database().equals(database);
    }

    /**
     * How often a shard has changed its home.
     *
     * @param shard the logical shard
     * @return from 1 up; 0 if the shard's home is not known, or if there is no such shard
     */
    public long generationOf(int shard) {
        ShardOwnership home = shard < 0 || shard >= homes.length ? null : homes[shard];
        return home == null ? 0 : home.generation();
    }

    /**
     * The database that has taken a shard over, if none of those that were asked owns it any more: one that this application is
     * not configured with.
     *
     * @param shard the logical shard
     * @return the database's name; null if the shard has a home, or if nobody knows
     */
    public @Nullable String successorOf(int shard) {
        ShardOwnership home = shard < 0 || shard >= homes.length ? null : homes[shard];
        return home == null ? null : home.successor();
    }

    /**
     * The shards that live on a database.
     *
     * @param database a database's name
     * @return its shards in ascending order; empty if it owns none or could not be asked
     */
    public int[] shardsOf(String database) {
        return IntStream.range(0, homes.length)
                .filter(shard -> {
                    ShardOwnership home = homes[shard];
                    return home != null && home.database().equals(database);
                })
                .toArray();
    }

    /**
     * The shards of which no home is known.
     *
     * @return in ascending order; empty unless a database could not be asked, or was restored, see {@link #problems()}
     */
    public int[] unownedShards() {
        return IntStream.range(0, homes.length)
                .filter(shard -> homes[shard] == null)
                .toArray();
    }

    /**
     * The databases that could not be asked when this map was made.
     *
     * @return their names
     */
    public Set<String> unreachableDatabases() {
        return unreachable.keySet();
    }

    /** Two maps are equal if every shard has the same home in both and the same databases could not be asked. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ShardMap map
                && Arrays.equals(homes, map.homes)
                && unowned.equals(map.unowned)
                && outdated.equals(map.outdated)
                && unreachable.keySet().equals(map.unreachable.keySet());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(homes);
    }
}
