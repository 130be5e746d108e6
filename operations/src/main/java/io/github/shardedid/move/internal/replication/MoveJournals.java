package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.operations.internal.Inquiry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The journals of all databases that can be reached. */
public final class MoveJournals {
    private static final Logger LOG = LoggerFactory.getLogger(MoveJournals.class);

    private static final Duration WAIT = Duration.ofSeconds(10);

    private final Map<String, DataSource> databases;

    public MoveJournals(Map<String, DataSource> databases) {
        this.databases = databases;
    }

    /** Newest first. */
    public List<Move> all() {
        return read(new TreeMap<>());
    }

    private List<Move> read(Map<String, String> unreachable) {
        List<Move> moves = new ArrayList<>();
        Inquiry.Answers<List<Move>> answers = Inquiry.pinned(WAIT, (name, connection) -> MoveJournal.all(connection))
                .ask(databases);
        answers.results().values().forEach(moves::addAll);
        answers.unreachable()
                .forEach((name, why) -> LOG.warn("Database {} cannot be asked for its moves: {}", name, why));
        unreachable.putAll(answers.unreachable());
        moves.sort(Comparator.comparing(Move::started).reversed());
        return moves;
    }

    /** Forgets the ended moves whose copies of a shard were dropped in a database: they began there, or were aborted on the way there. */
    public void forget(int shard, String database) {
        Inquiry.pinned(WAIT, (name, connection) -> MoveJournal.forget(connection, shard, database))
                .ask(databases)
                .unreachable()
                .forEach((name, why) ->
                        LOG.debug("Database {} still has the journal of shard {}: {}", name, shard, why));
    }

    /** The unfinished move of a shard. */
    public Move open(int shard) {
        Map<String, String> unreachable = new TreeMap<>();
        return read(unreachable).stream()
                .filter(move -> move.shard() == shard && !move.step().ended())
                .findFirst()
                .orElseThrow(() -> new MoveRefusedException("No move of shard " + shard + " is unfinished"
                        + (unreachable.isEmpty()
                                ? "."
                                : ", as far as databases can be asked; these cannot: " + unreachable)));
    }

    /** Refuses shards with an unfinished move, in any database that can be reached. */
    public void requireNoneOpen(IntStream shards) {
        Set<Integer> asked = shards.boxed().collect(Collectors.toSet());
        read(new TreeMap<>()).stream()
                .filter(move -> asked.contains(move.shard()) && !move.step().ended())
                .findFirst()
                .ifPresent(move -> {
                    throw new MoveRefusedException(
                            "The move of shard " + move.shard() + " from " + move.source() + " to " + move.target()
                                    + " is unfinished. Resume or abort it first; nothing was changed.");
                });
    }
}
