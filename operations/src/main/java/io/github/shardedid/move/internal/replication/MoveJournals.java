package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.operations.internal.Inquiry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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

    /** The unfinished move of a shard. */
    public Move open(int shard) {
        Map<String, String> unreachable = new TreeMap<>();
        return open(shard, unreachable)
                .orElseThrow(() -> new MoveRefusedException("No move of shard " + shard + " is unfinished"
                        + (unreachable.isEmpty()
                                ? "."
                                : ", as far as databases can be asked; these cannot: " + unreachable)));
    }

    private Optional<Move> open(int shard, Map<String, String> unreachable) {
        return read(unreachable).stream()
                .filter(move -> move.shard() == shard && !move.step().ended())
                .findFirst();
    }

    /** Refuses a shard with an unfinished move, in any database that can be reached. */
    public void requireNoneOpen(int shard) {
        open(shard, new TreeMap<>()).ifPresent(move -> {
            throw new MoveRefusedException("The move of shard " + shard + " from " + move.source() + " to "
                    + move.target() + " is unfinished. Resume or abort it first; nothing was changed.");
        });
    }
}
