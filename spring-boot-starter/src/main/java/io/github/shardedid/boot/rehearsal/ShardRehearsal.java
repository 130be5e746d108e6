package io.github.shardedid.boot.rehearsal;

import io.github.shardedid.hibernate.Rehearsal;
import io.github.shardedid.spring.data.report.RepositoryRoutes;
import io.github.shardedid.spring.data.report.RouteKind;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Reports what shards would change for the application, which runs without them ({@code sharded-id.rehearsal=true}). Logs the report
 * when the application ends. Safe for use by several threads.
 */
public final class ShardRehearsal implements ApplicationListener<ContextClosedEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(ShardRehearsal.class);
    private static final int BRIEF = 300;

    private final Supplier<EntityManagerFactory> factory;
    private final DataSource dataSource;
    private final RepositoryRoutes routes;
    private final RehearsalRecorder recorder;

    ShardRehearsal(
            Supplier<EntityManagerFactory> factory,
            DataSource dataSource,
            RepositoryRoutes routes,
            RehearsalRecorder recorder) {
        this.factory = factory;
        this.dataSource = dataSource;
        this.routes = routes;
        this.recorder = recorder;
    }

    /**
     * The report so far. Queries the catalogs of the database over a connection of the pool.
     *
     * @return a new report
     * @throws IllegalStateException if the database cannot be reached
     */
    public RehearsalReport report() {
        Rehearsal rehearsal = Rehearsal.of(factory.get().unwrap(SessionFactory.class))
                .orElseThrow(() -> new IllegalStateException("The entity manager factory is not rehearsed."));
        return new RehearsalReport(
                rehearsal.problems(),
                rehearsal.assumptions(),
                routes.routes(),
                recorder.calls(),
                statements(rehearsal),
                recorder.transactions(),
                recorder.leftOut());
    }

    private List<RehearsalReport.Statement> statements(Rehearsal rehearsal) {
        // A copy: the report itself executes statements.
        Map<RehearsalRecorder.StatementUse, LongAdder> uses = Map.copyOf(recorder.statements());
        List<RehearsalReport.Statement> statements = new ArrayList<>();
        try (Connection connection = dataSource.getConnection()) {
            StatementJudge judge = new StatementJudge(rehearsal, connection);
            for (Map.Entry<RehearsalRecorder.StatementUse, LongAdder> use : uses.entrySet()) {
                RehearsalRecorder.StatementUse key = use.getKey();
                StatementJudge.Judgement judgement = judge.of(key.sql(), key.origin(), key.scope());
                statements.add(new RehearsalReport.Statement(
                        brief(key.sql()), judgement.target(), use.getValue().sum(), judgement.refusal()));
            }
        } catch (SQLException e) {
            throw new IllegalStateException("The database of the rehearsal cannot be queried.", e);
        }
        statements.sort(Comparator.comparing(RehearsalReport.Statement::sql));
        return statements;
    }

    /** Without literals, which may be anyone's data. */
    private static String brief(String sql) {
        String line =
                sql.replaceAll("'(?:[^']|'')*'", "'…'").replaceAll("\\s+", " ").strip();
        return line.length() <= BRIEF ? line : line.substring(0, BRIEF) + "…";
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent closed) {
        try {
            LOG.info("{}", text(report()));
        } catch (RuntimeException e) {
            LOG.warn("The rehearsal has no report", e);
        }
    }

    private static String text(RehearsalReport report) {
        List<String> lines = new ArrayList<>();
        lines.add("Rehearsal of shards: " + report.refusals() + " calls, statements and transactions would be refused");
        report.mappings().forEach(each -> lines.add("mapping: " + each));
        report.assumptions().forEach(each -> lines.add("assumed: " + each));
        report.methods().stream()
                .filter(each -> each.kind() == RouteKind.NEEDS_SCOPE || each.kind() == RouteKind.REFUSED)
                .forEach(each -> lines.add("method: " + each.why()));
        report.calls().stream()
                .filter(each -> each.refusal() != null)
                .forEach(each -> lines.add("called " + each.count() + " times: " + each.refusal()));
        report.statements().stream()
                .filter(each -> each.refusal() != null)
                .forEach(each ->
                        lines.add("executed " + each.count() + " times: " + each.sql() + ": " + each.refusal()));
        report.transactions()
                .forEach(each ->
                        lines.add(each.name() + " wrote to several shards " + each.count() + " times: " + each.rows()));
        Map<String, Long> targets = report.statements().stream()
                .filter(each -> each.target() != null)
                .collect(Collectors.groupingBy(
                        each -> String.valueOf(each.target()),
                        Collectors.summingLong(RehearsalReport.Statement::count)));
        lines.add("executed statements by target: " + targets);
        return String.join(System.lineSeparator() + "    ", lines);
    }
}
