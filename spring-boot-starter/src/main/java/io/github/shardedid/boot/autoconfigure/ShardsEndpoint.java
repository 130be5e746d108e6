package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.move.Move;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The actuator endpoint {@code shards}: which database has which shards, and the moves of shards. What changes something is
 * off until {@code management.endpoint.shards.access} is {@code unrestricted}. Shows no password and no URL.
 */
@Endpoint(id = "shards", defaultAccess = Access.READ_ONLY)
public final class ShardsEndpoint {
    private final CurrentShardMap map;
    private final Collection<String> databases;
    private final BackgroundMoves moves;
    private final ShardLooks looks;

    ShardsEndpoint(CurrentShardMap map, Collection<String> databases, BackgroundMoves moves, ShardLooks looks) {
        this.map = map;
        this.databases = List.copyOf(databases);
        this.moves = moves;
        this.looks = looks;
    }

    /**
     * The cluster as this process knows it.
     *
     * @param mapVersion how often the map has changed in this process, from 1 up
     * @param shards how many there are
     * @param databases what each has
     * @param unowned shards of which no home is known, as ranges; empty if there are none
     * @param problems what is wrong with the ownership of shards and does not pass by itself, with what to do
     * @param underWay what was asked for here and is not done, and the newest failures
     * @param moves all moves of the databases that can be reached, newest first
     */
    public record Shards(
            long mapVersion,
            int shards,
            Map<String, Database> databases,
            String unowned,
            List<String> problems,
            List<Object> underWay,
            List<Move> moves) {}

    /**
     * A database as the map knows it.
     *
     * @param reachable whether it could be asked when the map was made
     * @param shards its shards, as ranges
     * @param count how many these are
     */
    public record Database(boolean reachable, String shards, int count) {}

    /**
     * A shard as the map knows it.
     *
     * @param shard the logical shard
     * @param database its home; null if none is known
     * @param generation how often it has changed its home, from 1 up; 0 if no home is known
     * @param fenced whether it is just changing its home
     * @param problem why no database owns it, with what to do; null if one does, or one could not be asked
     * @param moves its moves, newest first
     */
    public record Shard(
            int shard,
            @Nullable String database,
            long generation,
            boolean fenced,
            @Nullable String problem,
            List<Move> moves) {}

    /** What is shown on request only. */
    public enum Look {
        /** What an id says, in decimal or as a short text. No database is asked. */
        ID,
        /** The bytes of each shard of a database, or an error after five seconds. */
        SIZES,
        /** In which versions the shards of a database are, and which differ; or an error if it is silent. All shards are looked at. */
        VERSIONS
    }

    /** What can be done with a shard. */
    public enum Action {
        /** Move it. */
        MOVE,
        /** Go on with its move. */
        RESUME,
        /** Take its move back. */
        ABORT
    }

    /**
     * Shows the cluster.
     *
     * @return what is known now
     */
    @ReadOperation
    public Shards shards() {
        ShardMap now = map.get();
        Map<String, Database> all = new TreeMap<>();
        for (String name : databases) {
            int[] own = now.shardsOf(name);
            boolean reachable = !now.unreachableDatabases().contains(name);
            all.put(name, new Database(reachable, ShardRanges.of(own).toString(), own.length));
        }
        return new Shards(
                map.version(),
                now.shardCount(),
                all,
                ShardRanges.of(now.unownedShards()).toString(),
                map.problems(),
                List.copyOf(moves.underWay()),
                moves.journals());
    }

    /**
     * Shows one shard.
     *
     * @param shard the logical shard
     * @return what is known now
     */
    @ReadOperation
    public Shard shard(@Selector int shard) {
        ShardMap now = map.get();
        return new Shard(
                shard,
                ShardLooks.home(shard, now),
                now.generationOf(shard),
                now.isFenced(shard),
                now.unownedBecause(shard),
                moves.journals().stream().filter(move -> move.shard() == shard).toList());
    }

    /**
     * Takes a closer look.
     *
     * @param look at what: {@code id}, {@code sizes} or {@code versions}
     * @param of the id, or the name of the database
     * @return what is to be seen
     */
    @ReadOperation
    public Object look(@Selector Look look, @Selector String of) {
        return switch (look) {
            case ID -> looks.id(of);
            case SIZES -> looks.sizes(of);
            case VERSIONS -> looks.versions(of);
        };
    }

    /**
     * Begins to do something with a shard, and does not wait for its end.
     *
     * @param shard the logical shard
     * @param action what to do
     * @param to for a move, the database that is to own the shard
     * @return what is under way
     */
    @WriteOperation
    public Object act(@Selector int shard, Action action, @Nullable String to) {
        map.get().databaseOf(shard); // there is such a shard, and somebody knows it
        return switch (action) {
            case MOVE -> {
                if (to == null || !databases.contains(to)) {
                    throw new ShardsProblem(
                            ShardsProblem.BAD_REQUEST,
                            "To move shard " + shard + ", say where to: \"to\" is one of " + databases
                                    + (to == null ? "." : ", not " + to + "."),
                            null);
                }
                yield moves.move(shard, to);
            }
            case RESUME -> moves.resume(shard);
            case ABORT -> moves.abort(shard);
        };
    }
}
