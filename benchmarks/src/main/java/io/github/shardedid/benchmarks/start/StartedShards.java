package io.github.shardedid.benchmarks.start;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.SilentServer;
import io.github.shardedid.topology.ShardRanges;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** An application with its databases, which is started in a process of its own as often as asked for. */
final class StartedShards {
    private final String name;
    private final List<OpenedConnections> databases;
    private final List<String> command;
    private double megabytes;
    private long connections;

    private StartedShards(
            String name, List<OpenedConnections> databases, String classPath, Class<?> main, List<String> arguments) {
        this(name, databases, new ArrayList<>());
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                classPath,
                main.getName(),
                "--spring.main.banner-mode=off"));
        command.addAll(arguments);
    }

    private StartedShards(String name, List<OpenedConnections> databases, List<String> command) {
        this.name = name;
        this.databases = databases;
        this.command = command;
    }

    /** The same application while its second database accepts connections and never answers. */
    StartedShards whileOneHangs(SilentServer silent) {
        String url = "--sharded-id.databases.pg2.url=";
        return new StartedShards(
                name + ", one database hangs",
                databases,
                command.stream()
                        .map(argument -> argument.startsWith(url) ? url + silent.url() : argument)
                        .toList());
    }

    /** Of so many shards on two databases, with tables. */
    static StartedShards of(int shards) throws Exception {
        List<OpenedConnections> databases = List.of(OpenedConnections.on(1), OpenedConnections.on(2));
        List<String> arguments = new ArrayList<>(List.of("--sharded-id.migrations=", "--sharded-id.shards=" + shards));
        Database[] observed =
                databases.stream().map(OpenedConnections::observed).toArray(Database[]::new);
        ShardedDatabases.withTables(IdLayout.DEFAULT, shards, observed).close();
        for (int i = 0; i < observed.length; i++) {
            arguments.addAll(reached("sharded-id.databases.pg" + (i + 1), observed[i]));
        }
        return new StartedShards(
                shards + " shards",
                databases,
                System.getProperty("java.class.path"),
                StartedApplication.class,
                arguments);
    }

    /** Of so many shards on two databases, with the tables of twenty entities, which the start's migrations find up to date. */
    static StartedShards withTwentyEntities(int shards) throws Exception {
        List<OpenedConnections> databases = List.of(OpenedConnections.on(1), OpenedConnections.on(2));
        String scripts = "filesystem:" + TableScript.write(ShardedEntities.NUMBER);
        List<String> arguments = new ArrayList<>(
                List.of("--" + Started.MANY, "--sharded-id.migrations=" + scripts, "--sharded-id.shards=" + shards));
        Map<String, ShardRanges> ranges = new LinkedHashMap<>();
        Map<String, HikariDataSource> pools = new LinkedHashMap<>();
        for (int i = 0; i < databases.size(); i++) {
            String name = "pg" + (i + 1);
            Database observed = databases.get(i).observed();
            ranges.put(
                    name,
                    ShardRanges.of(IntStream.range(shards * i / 2, shards * (i + 1) / 2)
                            .toArray()));
            pools.put(name, observed.pool(name));
            arguments.addAll(reached("sharded-id.databases." + name, observed));
        }
        new Provisioner(
                        new ClusterDefinition(IdLayout.DEFAULT, shards, ranges),
                        pools,
                        ShardMigrations.at(scripts).withReplay(true))
                .provision();
        pools.values().forEach(HikariDataSource::close);
        return new StartedShards(
                shards + " shards × 20 tables",
                databases,
                System.getProperty("java.class.path"),
                StartedApplication.class,
                arguments);
    }

    /** Of plain JPA on one database, with the tables of twenty entities, which Flyway finds up to date. */
    static StartedShards plainWithTwentyEntities() throws Exception {
        OpenedConnections database = OpenedConnections.on(1);
        Path scripts = TableScript.writePlain(PlainEntities.NUMBER);
        List<String> arguments =
                new ArrayList<>(List.of("--" + Started.MANY, "--spring.flyway.locations=filesystem:" + scripts));
        arguments.addAll(reached("spring.datasource", database.observed()));
        return new StartedShards(
                "plain JPA with 20 tables",
                List.of(database),
                classPathWithoutOurs(),
                PlainApplication.class,
                arguments);
    }

    /** Of plain JPA on one database, with the same tables. */
    static StartedShards plain() throws Exception {
        OpenedConnections database = OpenedConnections.on(1);
        database.observed()
                .execute("CREATE SEQUENCE photo_id_seq INCREMENT BY 50;"
                        + " CREATE TABLE photo (id bigint PRIMARY KEY, user_id bigint NOT NULL, caption text)");
        List<String> arguments = new ArrayList<>(List.of("--spring.flyway.enabled=false"));
        arguments.addAll(reached("spring.datasource", database.observed()));
        return new StartedShards(
                "plain JPA", List.of(database), classPathWithoutOurs(), PlainApplication.class, arguments);
    }

    private static List<String> reached(String prefix, Database database) {
        return List.of(
                "--" + prefix + ".url=" + database.url(),
                "--" + prefix + ".username=postgres",
                "--" + prefix + ".password=postgres");
    }

    /** Excludes this library, which changes Hibernate and Spring if it is on the class path. */
    private static String classPathWithoutOurs() throws IOException, URISyntaxException {
        List<Path> ours = new ArrayList<>();
        for (Class<?> type : List.of(IdLayout.class, ShardedIdAutoConfiguration.class, PostgresServers.class)) {
            ours.add(Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toRealPath());
        }
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !ours.contains(Path.of(entry).toAbsolutePath().normalize()))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Seconds from the start of the process. */
    double start() throws Exception {
        long before = sessions();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(output);
        }
        megabytes = number(output, Started.MEGABYTES);
        connections = sessions() - before;
        return number(output, Started.SECONDS);
    }

    private long sessions() throws SQLException {
        long sessions = 0;
        for (OpenedConnections each : databases) {
            sessions += each.sessions();
        }
        return sessions;
    }

    private static double number(String output, String label) {
        return output.lines()
                .filter(line -> line.startsWith(label))
                .map(line -> Double.parseDouble(line.substring(label.length())))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(output));
    }

    /** Of the heap that the last start has left in use. */
    double megabytes() {
        return megabytes;
    }

    /** That the last start has opened, until it ended. */
    double connections() {
        return connections;
    }

    @Override
    public String toString() {
        return name;
    }
}
