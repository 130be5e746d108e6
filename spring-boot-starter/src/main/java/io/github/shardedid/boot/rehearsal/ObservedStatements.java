package io.github.shardedid.boot.rehearsal;

import io.github.shardedid.boot.rehearsal.StatementJudge.Judgement;
import io.github.shardedid.hibernate.Rehearsal;
import io.github.shardedid.spring.data.RouteKind;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the different statements, up to a limit. Each is judged when it is first executed: the database may be gone when the report
 * is made. Safe for use by several threads.
 */
final class ObservedStatements {
    private static final Logger LOG = LoggerFactory.getLogger(ObservedStatements.class);
    private static final Pattern LITERALS = Pattern.compile("'(?:[^']|'')*'|\\b\\d+(?:\\.\\d+)?\\b");
    private static final Pattern SPACES = Pattern.compile("\\s+");
    private static final int BRIEF = 300;

    private final List<Rehearsal> rehearsals = new CopyOnWriteArrayList<>();
    private final Map<Use, Seen> statements = new ConcurrentHashMap<>();
    private final LongAdder leftOut = new LongAdder();
    private final int most;

    /**
     * A statement, as often as it is executed in the same way.
     *
     * @param sql the text, without literals, which may be anyone's data
     * @param scope how the call or the scope around the statement determines its shards; null if there is none
     * @param ofRefusedCall whether a call executes it that would be refused
     */
    record Use(String sql, StatementOrigin origin, @Nullable RouteKind scope, boolean ofRefusedCall) {}

    /** A statement with its count and its target; without a judgement if no mappings were known yet. */
    private record Seen(String sample, @Nullable Judgement judgement, LongAdder count) {}

    ObservedStatements(int most) {
        this.most = most;
    }

    void add(Rehearsal rehearsal) {
        rehearsals.add(rehearsal);
    }

    List<Rehearsal> rehearsals() {
        return rehearsals;
    }

    long leftOut() {
        return leftOut.sum();
    }

    /** A statement is about to be executed over a connection. */
    void executed(
            String sql,
            StatementOrigin origin,
            @Nullable RouteKind scope,
            boolean ofRefusedCall,
            Connection connection) {
        Use use = new Use(
                SPACES.matcher(LITERALS.matcher(sql).replaceAll("…"))
                        .replaceAll(" ")
                        .strip(),
                origin,
                scope,
                ofRefusedCall);
        Seen known = statements.get(use);
        if (known == null && statements.size() >= most) {
            leftOut.increment();
            return;
        }
        if (known == null || known.judgement() == null) {
            // Outside of the map's lock, as it may query the database.
            Judgement judgement = judge(use, sql, connection);
            known = statements.merge(
                    use,
                    new Seen(sql, judgement, new LongAdder()),
                    (before, now) -> before.judgement() == null ? new Seen(sql, judgement, before.count()) : before);
        }
        known.count().increment();
    }

    private @Nullable Judgement judge(Use use, String sql, @Nullable Connection connection) {
        try {
            return rehearsals.stream()
                    .map(StatementJudge::new)
                    .filter(judge -> judge.knows(sql))
                    .findFirst()
                    .or(() -> rehearsals.stream().findFirst().map(StatementJudge::new))
                    .map(judge -> judge.of(use, sql, connection))
                    .orElse(null);
        } catch (RuntimeException e) {
            // The application runs as without a rehearsal.
            LOG.debug("The rehearsal cannot read a statement: {}", use.sql(), e);
            return Judgement.UNKNOWN;
        }
    }

    /** Without statements whose tables are not known, as there are no mappings. */
    List<RehearsalReport.Statement> report() {
        List<RehearsalReport.Statement> all = new ArrayList<>();
        statements.forEach((use, seen) -> {
            Judgement judgement = seen.judgement() == null ? judge(use, seen.sample(), null) : seen.judgement();
            if (judgement != null) {
                all.add(new RehearsalReport.Statement(
                        brief(use.sql()),
                        judgement.target(),
                        seen.count().sum(),
                        judgement.refusal(),
                        judgement.unchecked()));
            }
        });
        all.sort(Comparator.comparing(RehearsalReport.Statement::sql));
        return all;
    }

    private static String brief(String line) {
        return line.length() <= BRIEF ? line : line.substring(0, BRIEF) + "…";
    }
}
