package io.github.shardedid.topology;

import io.github.shardedid.topology.ShardOwnership.Standing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Describes the effects of a database that was restored from a backup older than a move. */
final class RestoredCopies {
    private static final String START = " Start the application once with --sharded-id.recover=";

    private RestoredCopies() {}

    /** One text per pair of databases, not per shard. */
    static List<String> texts(Collection<ShardOwnership> unowned, Collection<OutdatedCopy> outdated) {
        List<String> texts = new ArrayList<>();
        Map<String, List<ShardOwnership>> left = new TreeMap<>();
        unowned.forEach(
                last -> left.computeIfAbsent(last.database() + "\n" + last.successor(), key -> new ArrayList<>())
                        .add(last));
        left.values().forEach(group -> texts.add(unowned(group)));
        Map<String, List<OutdatedCopy>> copies = new TreeMap<>();
        outdated.forEach(copy -> copies.computeIfAbsent(copy.database() + "\n" + copy.owner(), key -> new ArrayList<>())
                .add(copy));
        copies.values().forEach(group -> texts.add(outdated(group)));
        return texts;
    }

    /** The shards moved from the same database to the same other one. */
    static String unowned(List<ShardOwnership> group) {
        ShardOwnership any = group.get(0);
        String shards = shards(group.stream().mapToInt(ShardOwnership::shard).toArray());
        String successor = any.successor() == null ? "another database" : "database " + any.successor();
        return "No database owns " + shards + ": database " + any.database() + " handed over to " + successor
                + ", but no database has taken over. Check whether " + successor
                + " was restored from a backup older than the move." + START + numbers(shards)
                + ", which shows the remaining copies and how to recover one. Other shards are not affected.";
    }

    private static String outdated(List<OutdatedCopy> group) {
        OutdatedCopy any = group.get(0);
        String shards = shards(group.stream().mapToInt(OutdatedCopy::shard).toArray());
        return "Database " + any.database() + " has an older copy of " + shards + " that is not fenced: database "
                + any.owner() + " owns a later generation, and only that one is used. Check whether " + any.database()
                + " was restored from a backup older than the move." + START + numbers(shards) + ":" + any.owner()
                + ", which fences the older copy.";
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
