package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.id.DecodedId;
import io.github.shardedid.move.DatabaseSizes;
import io.github.shardedid.provisioning.DriftReport;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardStatus;
import io.github.shardedid.spring.id.IdText;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardSchema;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What the endpoint shows on request only: it asks a database, or takes an id apart. */
final class ShardLooks {
    /** Less than a client of an actuator waits. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    /** All shards are looked at, of which there may be thousands. */
    private static final Duration LONGEST_OF_ALL = Duration.ofSeconds(10);

    private final Cluster cluster;
    private final IdText ids;
    private final ShardedDatabases databases;
    private final Provisioner provisioner;

    ShardLooks(Cluster cluster, IdText ids, ShardedDatabases databases, Provisioner provisioner) {
        this.cluster = cluster;
        this.ids = ids;
        this.databases = databases;
        this.provisioner = provisioner;
    }

    /**
     * What an id says.
     *
     * @param id the decimal form, as text
     * @param text the short text form
     * @param instant when it was made
     * @param shard the logical shard
     * @param node the JVM node that made it, or null if a database did
     * @param sequence the value of the sequence field
     * @param schema the shard's schema; null if the cluster has no such shard
     * @param database the shard's home; null if none is known
     */
    record Id(
            String id,
            String text,
            Instant instant,
            int shard,
            @Nullable Integer node,
            int sequence,
            @Nullable String schema,
            @Nullable String database) {}

    /**
     * How much room a database's shards take.
     *
     * @param database its name
     * @param bytes of all of them
     * @param shards the bytes of each, copies that moves have left included
     */
    record Sizes(String database, long bytes, Map<Integer, Long> shards) {}

    /**
     * In which versions a database's shards are.
     *
     * @param database its name
     * @param versions how many shards are in each version; {@code none} if no script has run
     * @param notInOrder the shards of which there is something to be said
     */
    record Versions(String database, Map<String, Integer> versions, List<ShardStatus> notInOrder) {}

    Id id(String decimalOrText) {
        long id = ids.parse(decimalOrText);
        DecodedId decoded = cluster.layout().decode(id);
        int shard = decoded.shard();
        boolean known = shard < cluster.shardCount();
        return new Id(
                Long.toString(id),
                cluster.layout().toText(id),
                decoded.instant(),
                shard,
                decoded.node().isPresent() ? decoded.node().getAsInt() : null,
                decoded.sequence(),
                known ? ShardSchema.nameOf(shard) : null,
                known ? home(shard, cluster.map().get()) : null);
    }

    /** Null if none is known. */
    static @Nullable String home(int shard, ShardMap map) {
        return Arrays.binarySearch(map.unownedShards(), shard) >= 0 ? null : map.databaseOf(shard);
    }

    Sizes sizes(String database) {
        DataSource source = databases.byName().get(database);
        if (source == null) {
            throw unknown(database);
        }
        try {
            Map<Integer, Long> shards = DatabaseSizes.of(source, LONGEST);
            return new Sizes(
                    database,
                    shards.values().stream().mapToLong(Long::longValue).sum(),
                    shards);
        } catch (SQLException e) {
            throw new ShardsProblem(
                    ShardsProblem.UNAVAILABLE,
                    "Database " + database + " did not say within " + LONGEST.toSeconds()
                            + " s how large its shards are. Ask again when it is reachable and less busy.",
                    e);
        }
    }

    Versions versions(String database) {
        if (!databases.byName().containsKey(database)) {
            throw unknown(database);
        }
        DriftReport report = provisioner.drift(LONGEST_OF_ALL);
        String silent = report.unreachable().get(database);
        if (silent != null) {
            throw new ShardsProblem(
                    ShardsProblem.UNAVAILABLE,
                    "Database " + database + " did not say in which versions its shards are: " + silent
                            + ". Ask again when it can be reached and is less busy.",
                    null);
        }
        List<ShardStatus> own = report.shards().stream()
                .filter(status -> status.database().equals(database))
                .toList();
        Map<String, Integer> versions = new TreeMap<>();
        own.forEach(status -> versions.merge(status.version() == null ? "none" : status.version(), 1, Integer::sum));
        return new Versions(
                database,
                new LinkedHashMap<>(versions),
                own.stream().filter(status -> !status.inOrder()).toList());
    }

    private ShardsProblem unknown(String database) {
        return new ShardsProblem(
                ShardsProblem.NOT_FOUND,
                "There is no database " + database + " under sharded-id.databases, which are "
                        + databases.byName().keySet() + ".",
                null);
    }
}
