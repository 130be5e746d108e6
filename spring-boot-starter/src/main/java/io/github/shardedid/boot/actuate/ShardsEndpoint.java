package io.github.shardedid.boot.actuate;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.KeyRows.RowsRefusedException;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveGoal;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.UnknownShardException;
import io.github.shardedid.topology.UnownedShardException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.util.MimeType;

/**
 * The actuator endpoint {@code shards}: shows the shards of each database, and moves shards. Write operations are disabled until
 * {@code management.endpoint.shards.access} is {@code unrestricted}. Shows no password and no URL. Responds to failures with a status and
 * a problem of RFC 9457 that contains the reason.
 */
@WebEndpoint(id = "shards", defaultAccess = Access.READ_ONLY)
record ShardsEndpoint(
        Cluster cluster, Collection<String> databases, BackgroundMoves moves, Supplier<List<String>> unfinished) {
    private static final Logger LOG = LoggerFactory.getLogger(ShardsEndpoint.class);
    private static final MimeType PROBLEM = new MimeType("application", "problem+json");

    /**
     * The cluster in the shard map of this process.
     *
     * @param mapVersion version of the map in this process, from 1
     * @param mapAge time for which no answer of the databases has confirmed the map
     * @param shards number of logical shards
     * @param databases the databases by name
     * @param unowned shards whose owner is unknown, as ranges; empty if there are none
     * @param fenced for how long this process has known shards to be fenced by moves, by shard
     * @param problems inconsistencies in the ownership of shards that do not resolve themselves, and unfinished work of dead
     *     processes, with what to do
     * @param underWay work that was requested in this process and is not done, and the latest failure of each shard
     * @param moves all moves in the journals of the databases that can be reached, newest first
     * @param plans all plans there, newest first
     */
    record Shards(
            long mapVersion,
            Duration mapAge,
            int shards,
            Map<String, Database> databases,
            String unowned,
            Map<Integer, Duration> fenced,
            List<String> problems,
            Collection<BackgroundMoves.Work> underWay,
            List<Move> moves,
            List<MovePlan> plans) {}

    /**
     * A database in the shard map.
     *
     * @param reachable whether it was reachable when the map was read
     * @param shards its shards, as ranges; those of its last answer if it was not reachable
     * @param count number of its shards
     * @param unreachableBecause why it was not reachable; null if it was
     */
    record Database(boolean reachable, String shards, int count, @Nullable String unreachableBecause) {}

    /**
     * A shard in the shard map.
     *
     * @param shard the logical shard
     * @param database the database that owns it; null if unknown
     * @param generation generation of the ownership, from 1; it increases with each move. 0 if the owner is unknown
     * @param fenced whether it is fenced by a move
     * @param problem why no database owns it, with what to do; null if a database owns it, or might own it but is unreachable
     * @param moves its moves, newest first
     */
    record Shard(
            int shard,
            @Nullable String database,
            long generation,
            boolean fenced,
            @Nullable String problem,
            List<Move> moves) {}

    /** A problem of RFC 9457. */
    record Problem(String title, int status, String detail) {}

    /** Shows the cluster. */
    @ReadOperation
    public Shards shards() {
        CurrentShardMap map = cluster.map();
        ShardMap now = map.get();
        Map<String, Database> all = new TreeMap<>();
        for (String name : databases) {
            int[] own = now.shardsOf(name);
            String reason = now.unreachableReasons().get(name);
            all.put(name, new Database(reason == null, ShardRanges.of(own).toString(), own.length, reason));
        }
        return new Shards(
                map.version(),
                map.age(),
                now.shardCount(),
                all,
                ShardRanges.of(now.unownedShards()).toString(),
                map.fencedShards(),
                Stream.of(map.problems(), unfinished.get())
                        .flatMap(List::stream)
                        .toList(),
                moves.underWay(),
                moves.mover().moves(),
                moves.mover().plans());
    }

    /** Shows one shard. */
    @ReadOperation
    public WebEndpointResponse<Object> shard(@Selector String shard) {
        return respond(() -> {
            int number = number(shard);
            ShardMap now = cluster.map().get();
            return new Shard(
                    number,
                    Arrays.binarySearch(now.unownedShards(), number) >= 0 ? null : now.databaseOf(number),
                    now.generationOf(number),
                    now.isFenced(number),
                    now.unownedBecause(number),
                    moves.mover().moves().stream()
                            .filter(move -> move.shard() == number)
                            .toList());
        });
    }

    /** Starts to {@code move} a shard, to {@code resume} or {@code abort} its unfinished move, and does not wait for the end. */
    @WriteOperation
    public WebEndpointResponse<Object> act(@Selector String shard, @Nullable String action, @Nullable String to) {
        return respond(() -> {
            int number = number(shard);
            cluster.map().get().databaseOf(number); // fails if the shard is unknown or unowned
            return switch (String.valueOf(action)) {
                case "move" -> {
                    if (to == null || !databases.contains(to)) {
                        throw new IllegalArgumentException(
                                "To move shard " + shard + ", set \"to\" to one of " + databases + ", not " + to + ".");
                    }
                    yield moves.move(number, to);
                }
                case "resume" -> moves.resume(number);
                case "abort" -> moves.abort(number);
                default -> throw unknown("action", "move, resume, abort", action);
            };
        });
    }

    /** Begins or stops a plan, and does not wait for its end. */
    @WriteOperation
    public WebEndpointResponse<Object> plan(@Nullable String action, @Nullable String of) {
        String subject = String.valueOf(of);
        return respond(() -> switch (String.valueOf(action)) {
            case "drain" -> moves.begin(MoveGoal.drain(subject));
            case "rebalance" -> moves.begin(MoveGoal.BALANCE);
            case "stop" -> moves.mover().stopPlan(subject);
            default -> throw unknown("action", "drain, rebalance, stop", action);
        });
    }

    private static int number(String shard) {
        try {
            return Integer.parseInt(shard);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("\"" + shard + "\" is no shard: shards are numbered from 0.", e);
        }
    }

    static IllegalArgumentException unknown(String field, String known, @Nullable String value) {
        return new IllegalArgumentException("\"" + field + "\" is one of " + known + ", not " + value + ".");
    }

    /** Returns the result of work, or the problem that it failed with. */
    static WebEndpointResponse<Object> respond(Supplier<Object> work) {
        try {
            return new WebEndpointResponse<>(work.get());
        } catch (IllegalArgumentException | MalformedIdException e) {
            return problem(400, "Bad Request", e.getMessage());
        } catch (UnknownShardException e) {
            return problem(404, "Not Found", e.getMessage());
        } catch (MoveRefusedException | RowsRefusedException e) {
            return problem(409, "Conflict", e.getMessage());
        } catch (ShardedIdException e) {
            LOG.warn("An endpoint could not process a request", e);
            boolean unavailable = e instanceof UnownedShardException
                    || (e instanceof ProvisioningException refused && refused.reason() == Reason.UNREACHABLE_DATABASE);
            return unavailable
                    ? problem(503, "Service Unavailable", e.getMessage())
                    : problem(500, "Internal Server Error", e.getMessage());
        }
    }

    private static WebEndpointResponse<Object> problem(int status, String title, @Nullable String detail) {
        return new WebEndpointResponse<>(new Problem(title, status, String.valueOf(detail)), status, PROBLEM);
    }
}
