package io.github.shardedid.hibernate.keyrows;

import io.github.shardedid.hibernate.KeyRows;
import io.github.shardedid.hibernate.KeyRows.Report;
import io.github.shardedid.hibernate.keyrows.Club.Member;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.test.JavaCommand;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardRanges;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.hibernate.SessionFactory;
import org.postgresql.ds.PGSimpleDataSource;

/** An application with a small heap that counts, exports and erases a member, and says how long each took. */
final class EraserProcess {
    private EraserProcess() {}

    /** Starts it for a member of a cluster of four shards on two databases. */
    static Process start(TestCluster cluster, long member, Path directory) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "-Xmx64m",
                EraserProcess.class.getName(),
                String.valueOf(member),
                directory.resolve("export").toString()));
        for (TestDatabase database : cluster.databases()) {
            arguments.add(database.url() + "?user=" + database.server().username() + "&password="
                    + database.server().password());
        }
        return new ProcessBuilder(JavaCommand.of(arguments.toArray(String[]::new)))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    public static void main(String[] arguments) throws IOException {
        long member = Long.parseLong(arguments[0]);
        try (SessionFactory sessions =
                        KeyRowsIntegrationTests.sessions(routing(arguments[2], arguments[3]), columns -> {});
                Writer out = Files.newBufferedWriter(Path.of(arguments[1]))) {
            KeyRows rows = KeyRows.of(sessions).orElseThrow();
            long started = System.nanoTime();
            log("counted", started, rows.count(Member.class, member));
            started = System.nanoTime();
            log("exported", started, rows.export(Member.class, member, out));
            started = System.nanoTime();
            log("erased", started, rows.erase(Member.class, member));
        }
    }

    private static void log(String what, long started, Report report) {
        System.out.printf(
                "%s %,d rows, %,d left, in %.1f s%n",
                what, report.rows(), report.left(), (System.nanoTime() - started) / 1e9);
    }

    private static RoutingDataSource routing(String... urls) {
        Map<String, DataSource> sources = new TreeMap<>();
        for (String url : urls) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(url);
            sources.put("pg" + (sources.size() + 1), source);
        }
        ClusterDefinition definition = new ClusterDefinition(
                IdLayout.DEFAULT, 4, Map.of("pg1", ShardRanges.of(0, 1), "pg2", ShardRanges.of(2, 3)));
        return new RoutingDataSource(
                new Cluster(IdLayout.DEFAULT, new CurrentShardMap(new DatabaseShardMapSource(definition, sources))),
                sources);
    }
}
