package io.github.shardedid.boot.actuate;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveGoal;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The actuator endpoint {@code shards}: shows the shards of each database, and moves shards. Write operations are disabled until
 * {@code management.endpoint.shards.access} is {@code unrestricted}. Shows no password and no URL.
 */
@Endpoint(id = "shards", defaultAccess = Access.READ_ONLY)
public final class ShardsEndpoint {
    private final CurrentShardMap map;
    private final Collection<String> databases;
    private final BackgroundMoves moves;
    private final ShardInspections inspections;
    private final Supplier<List<String>> unfinished;

    ShardsEndpoint(
            CurrentShardMap map,
            Collection<String> databases,
            BackgroundMoves moves,
            ShardInspections inspections,
            Supplier<List<String>> unfinished) {
        this.unfinished = unfinished;
        this.map = map;
        this.databases = List.copyOf(databases);
        this.moves = moves;
        this.inspections = inspections;
    }

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
     * @param underWay work that was requested in this process and is not done, and the latest failures
     * @param moves all moves in the journals of the databases that can be reached, newest first
     * @param plans all plans there, newest first
     */
    public record Shards(
            long mapVersion,
            Duration mapAge,
            int shards,
            Map<String, Database> databases,
            String unowned,
            Map<Integer, Duration> fenced,
            List<String> problems,
            List<Object> underWay,
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
    public record Database(boolean reachable, String shards, int count, @Nullable String unreachableBecause) {}

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
    public record Shard(
            int shard,
            @Nullable String database,
            long generation,
            boolean fenced,
            @Nullable String problem,
            List<Move> moves) {}

    /** Inspections. */
    public enum Inspection {
        /** Decodes an id, in decimal or as a short text, without a database. */
        ID,
        /** The size of each shard of a database in bytes, or an error after five seconds. */
        SIZES,
        /** The migration versions of the shards of a database, and which differ; or an error after ten seconds. */
        VERSIONS
    }

    /** Actions on a shard. */
    public enum Action {
        /** Moves the shard. */
        MOVE,
        /** Resumes its unfinished move. */
        RESUME,
        /** Aborts its unfinished move. */
        ABORT
    }

    /** Actions on plans. */
    public enum PlanAction {
        /** Plans and begins the moves that leave a database without shards. */
        DRAIN,
        /** Plans and begins the moves that balance the sizes of the databases. */
        REBALANCE,
        /** Stops a plan for good. */
        STOP
    }

    /**
     * Shows the cluster.
     *
     * @return its current state
     */
    @ReadOperation
    public Shards shards() {
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
                List.copyOf(moves.underWay()),
                moves.journals(),
                moves.plans());
    }

    /**
     * Shows one shard.
     *
     * @param shard the logical shard
     * @return its current state
     */
    @ReadOperation
    public Shard shard(@Selector int shard) {
        ShardMap now = map.get();
        return new Shard(
                shard,
                ShardInspections.owner(shard, now),
                now.generationOf(shard),
                now.isFenced(shard),
                now.unownedBecause(shard),
                moves.journals().stream().filter(move -> move.shard() == shard).toList());
    }

    /**
     * Inspects an id or a database.
     *
     * @param inspection the inspection
     * @param of the id, or the name of the database
     * @return the result
     */
    @ReadOperation
    public Object inspect(@Selector Inspection inspection, @Selector String of) {
        return switch (inspection) {
            case ID -> inspections.id(of);
            case SIZES -> inspections.sizes(of);
            case VERSIONS -> inspections.versions(of);
        };
    }

    /**
     * Starts an action on a shard, and does not wait for its end.
     *
     * @param shard the logical shard
     * @param action the action
     * @param to the target database of a move; otherwise ignored
     * @return the requested work
     */
    @WriteOperation
    public Object act(@Selector int shard, Action action, @Nullable String to) {
        map.get().databaseOf(shard); // fails if the shard is unknown or unowned
        return switch (action) {
            case MOVE -> {
                if (to == null || !databases.contains(to)) {
                    throw new ShardsProblem(
                            ShardsProblem.BAD_REQUEST,
                            "To move shard " + shard + ", set \"to\" to one of " + databases
                                    + (to == null ? "." : ", not " + to + "."),
                            null);
                }
                yield moves.move(shard, to);
            }
            case RESUME -> moves.resume(shard);
            case ABORT -> moves.abort(shard);
        };
    }

    /**
     * Begins or stops a plan, and does not wait for its end.
     *
     * @param action the action
     * @param of the name of a database, or the id of a plan; null for balance
     * @return the plan as recorded
     */
    @WriteOperation
    public Object plan(PlanAction action, @Nullable String of) {
        return switch (action) {
            case DRAIN -> moves.begin(MoveGoal.drain(String.valueOf(of)));
            case REBALANCE -> moves.begin(MoveGoal.BALANCE);
            case STOP -> moves.stop(String.valueOf(of));
        };
    }
}
