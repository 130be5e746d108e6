package io.github.shardedid.boot.rehearsal;

import io.github.shardedid.hibernate.rehearsal.Rehearsal;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.spring.data.RepositoryRoutes;
import io.github.shardedid.spring.data.RouteKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Reports what shards would change for the application, which runs without them. Logs the report
 * when the application ends, and appends it to a file in the build's directory: build tools do not show what tests log then. Safe for
 * use by several threads.
 */
public final class ShardRehearsal implements Rehearsal.Listener, ApplicationListener<ContextClosedEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(ShardRehearsal.class);
    private static final Pattern LITERALS = Pattern.compile("'(?:[^']|'')*'|\\b\\d+(?:\\.\\d+)?\\b");

    private final ApplicationContext context;
    private final RepositoryRoutes routes;
    private final Map<Found, LongAdder> found = new ConcurrentHashMap<>();
    private volatile @Nullable Rehearsal rehearsal;

    private record Found(String where, String why) {}

    ShardRehearsal(ApplicationContext context, RepositoryRoutes routes) {
        this.context = context;
        this.routes = routes;
    }

    @Override
    public void read(Rehearsal mappings) {
        rehearsal = mappings;
    }

    @Override
    public void refused(String where, String why) {
        found.computeIfAbsent(new Found(where, why), key -> new LongAdder()).increment();
    }

    /** A statement is about to be executed over a connection. */
    void executed(String sql, Connection connection) {
        Rehearsal mappings = rehearsal;
        StatementLocation location = mappings == null ? null : StatementLocation.current();
        if (mappings == null || location == null) {
            return;
        }
        try {
            refusal(mappings, sql, location.byHibernate(), connection)
                    // Without literals, which may be anyone's data.
                    .ifPresent(why -> refused(
                            location.code(), why + " " + LITERALS.matcher(sql).replaceAll("…")));
        } catch (SQLException | RuntimeException e) {
            // The application runs as without a rehearsal.
            LOG.debug("The rehearsal cannot read a statement: {}", sql, e);
        }
    }

    /** The application's transaction goes on, whatever becomes of the queries of the catalogs. */
    private static Optional<String> refusal(Rehearsal mappings, String sql, boolean byHibernate, Connection connection)
            throws SQLException {
        Savepoint before = connection.getAutoCommit() ? null : connection.setSavepoint();
        try {
            return mappings.refusal(sql, byHibernate, ShardContext.target(), connection);
        } catch (SQLException e) {
            LOG.debug("The catalogs of the database cannot be read", e);
            return mappings.refusal(sql, byHibernate, ShardContext.target(), null);
        } finally {
            if (before != null) {
                connection.rollback(before);
            }
        }
    }

    @Override
    public void written(String entity, Object id, Object shard) {
        String name = TransactionSynchronizationManager.getCurrentTransactionName();
        // Spring Data's own methods for several rows are one transaction for each shard.
        boolean perShard = name != null && name.startsWith("org.springframework.data.") && name.contains("All");
        if (perShard || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return;
        }
        Optional<WrittenShards> known = TransactionSynchronizationManager.getSynchronizations().stream()
                .flatMap(each -> each instanceof WrittenShards written ? Stream.of(written) : Stream.empty())
                .findFirst();
        WrittenShards written = known.orElseGet(() -> new WrittenShards(name));
        if (known.isEmpty()) {
            TransactionSynchronizationManager.registerSynchronization(written);
        }
        written.rows.putIfAbsent(shard, entity + " " + id);
    }

    /** The shards in which a transaction writes, each with the first row. For one thread. */
    private final class WrittenShards implements TransactionSynchronization {
        private final String name;
        private final Map<Object, String> rows = new LinkedHashMap<>();

        WrittenShards(@Nullable String name) {
            this.name = name == null ? "a transaction without a name" : name;
        }

        @Override
        public void afterCompletion(int status) {
            if (rows.size() > 1) {
                LOG.info("The transaction {} wrote rows of several shards: {}", name, rows.values());
                refused(
                        name,
                        "The transaction writes to several shards. Write the rows of each shard in a transaction of its own.");
            }
        }
    }

    /**
     * Returns the report so far. Needs no database.
     *
     * @return a new report; without mappings and statements if the context has no entity manager factory
     */
    public RehearsalReport report() {
        List<RehearsalReport.Location> locations = new ArrayList<>();
        found.forEach((key, count) -> locations.add(new RehearsalReport.Location(key.where(), key.why(), count.sum())));
        Set<String> called = found.keySet().stream().map(Found::where).collect(Collectors.toSet());
        routes.routes().stream()
                .filter(route -> route.kind() == RouteKind.NEEDS_SCOPE || route.kind() == RouteKind.REFUSED)
                .filter(route -> !called.contains(route.method()))
                .forEach(route ->
                        locations.add(new RehearsalReport.Location(route.method(), String.valueOf(route.why()), 0)));
        locations.sort(Comparator.comparing(RehearsalReport.Location::where));
        Rehearsal mappings = rehearsal;
        return new RehearsalReport(mappings == null ? List.of() : mappings.mappings(), locations);
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent closed) {
        if (closed.getApplicationContext() == context) {
            String text = "Rehearsal of shards in " + context.getId() + ":" + System.lineSeparator() + report();
            LOG.info("{}", text);
            Stream.of("target", "build")
                    .map(Path::of)
                    .filter(Files::isDirectory)
                    .findFirst()
                    .ifPresent(directory -> append(directory.resolve("shard-rehearsal.txt"), text));
        }
    }

    /** Appends, since a run of tests has several contexts, in several JVMs. */
    private static void append(Path file, String text) {
        try {
            Files.writeString(
                    file,
                    text + System.lineSeparator() + System.lineSeparator(),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            LOG.warn("The report of the rehearsal cannot be written to {}.", file, e);
        }
    }
}
