package io.github.shardedid.topology;

import io.github.shardedid.WayOut;
import io.github.shardedid.topology.ShardOwnership.Standing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Describes the effects of a database that was restored from a backup older than a move. */
final class RestoredCopies {
    private RestoredCopies() {}

    /** One text per pair of databases, not per shard. */
    static List<String> texts(Collection<ShardOwnership> unowned, Collection<OutdatedCopy> outdated) {
        return Stream.concat(
                        grouped(unowned, last -> last.database() + "\n" + last.successor(), RestoredCopies::unowned),
                        grouped(outdated, copy -> copy.database() + "\n" + copy.owner(), RestoredCopies::outdated))
                .toList();
    }

    private static <T> Stream<String> grouped(
            Collection<T> all, Function<T, String> databases, Function<List<T>, String> text) {
        Map<String, List<T>> groups =
                all.stream().collect(Collectors.groupingBy(databases, TreeMap::new, Collectors.toList()));
        return groups.values().stream().map(text);
    }

    /** The shards moved from the same database to the same other one. */
    static String unowned(List<ShardOwnership> group) {
        ShardOwnership any = group.get(0);
        String shards = shards(group.stream().mapToInt(ShardOwnership::shard).toArray());
        String successor = any.successor() == null ? "another database" : "database " + any.successor();
        return "No database owns " + shards + ": database " + any.database() + " handed over to " + successor
                + ", but no database has taken over. Check whether " + successor
                + " was restored from a backup older than the move. " + WayOut.COPIES.of(numbers(shards))
                + " shows the remaining copies and how to recover one. Other shards are not affected.";
    }

    private static String outdated(List<OutdatedCopy> group) {
        OutdatedCopy any = group.get(0);
        String shards = shards(group.stream().mapToInt(OutdatedCopy::shard).toArray());
        return "Database " + any.database() + " has an older copy of " + shards + " that is not fenced: database "
                + any.owner() + " owns a later generation, and only that one is used. Check whether " + any.database()
                + " was restored from a backup older than the move. " + WayOut.RECOVER.of(numbers(shards), any.owner())
                + " fences the older copy.";
    }

    private static String shards(int[] shards) {
        return (shards.length == 1 ? "shard " : "shards ") + ShardRanges.of(shards);
    }

    private static String numbers(String shards) {
        return shards.substring(shards.indexOf(' ') + 1).replace(" ", "");
    }

    /** A copy of a shard that its database claims to serve, although another one owns a later generation. */
    record OutdatedCopy(int shard, String database, String owner) {
        /** Compares the claims with the known homes. The claims must be for existing shards. */
        static List<OutdatedCopy> of(Collection<ShardOwnership> claims, @Nullable ShardOwnership[] homes) {
            List<OutdatedCopy> copies = new ArrayList<>();
            for (ShardOwnership claim : claims) {
                ShardOwnership home = claim.standing() == Standing.SERVING ? homes[claim.shard()] : null;
                if (home != null && home.standing() != Standing.LEFT && home.generation() > claim.generation()) {
                    copies.add(new OutdatedCopy(claim.shard(), claim.database(), home.database()));
                }
            }
            return List.copyOf(copies);
        }
    }
}
