package io.github.shardedid.attack;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.nodes.JvmNodesChange;
import io.github.shardedid.topology.ShardRanges;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Changes jvm-nodes up to a moment, and waits there to be killed: before or after a commit in one database. Its orders, a line each:
 * the number, the database, {@code before} or {@code after}, and the text of a statement of that transaction.
 */
final class NodesWorker {
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private final Path log;
    private final boolean after;
    private final String text;

    private NodesWorker(Path log, boolean after, String text) {
        this.log = log;
        this.after = after;
        this.text = text;
    }

    static Path orders(Path directory, int number) {
        return directory.resolve("nodes-" + number + ".orders");
    }

    /** Is there when the process waits to be killed. */
    static Path log(Path directory, int number) {
        return directory.resolve("nodes-" + number + ".there");
    }

    public static void main(String[] arguments) throws IOException {
        WorkerOptions options = WorkerOptions.parse(arguments);
        Lifeline.attach();
        List<String> orders = Files.readAllLines(orders(options.directory(), options.number()));
        NodesWorker worker = new NodesWorker(
                log(options.directory(), options.number()), orders.get(2).equals("after"), orders.get(3));
        Map<String, ShardRanges> ranges = new TreeMap<>();
        options.homes().forEach((name, home) -> ranges.put(name, home.shards()));
        Map<String, DataSource> sources = new TreeMap<>(LoadOptions.unpooled(options));
        sources.computeIfPresent(orders.get(1), (name, source) -> worker.stopping(source));
        new JvmNodesChange(new ClusterDefinition(IdLayout.DEFAULT, Place.SHARDS, ranges), sources)
                .run(Integer.parseInt(orders.get(0)), LONGEST);
    }

    private DataSource stopping(DataSource raw) {
        return (DataSource) Proxy.newProxyInstance(
                NodesWorker.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> stopping(raw.getConnection()));
    }

    private Connection stopping(Connection raw) {
        boolean[] there = {false};
        return (Connection) Proxy.newProxyInstance(
                NodesWorker.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    there[0] |= arguments != null
                            && arguments.length > 0
                            && Objects.toString(arguments[0]).contains(text);
                    boolean moment = there[0] && method.getName().equals("commit");
                    if (moment && !after) {
                        awaitDeath();
                    }
                    try {
                        return method.invoke(raw, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    } finally {
                        if (moment) {
                            awaitDeath();
                        }
                    }
                });
    }

    private void awaitDeath() throws IOException {
        Files.writeString(log, "there");
        while (true) {
            LockSupport.park();
        }
    }
}
