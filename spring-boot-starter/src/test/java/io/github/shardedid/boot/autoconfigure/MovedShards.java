package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardRanges;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Four shards on two servers, provisioned, without tables of an application. */
final class MovedShards {
    private final TestDatabase pg1 = PostgresServers.shared(1).newDatabase();
    private final TestDatabase pg2 = PostgresServers.shared(2).newDatabase();

    MovedShards() {
        ClusterDefinition definition = new ClusterDefinition(
                IdLayout.DEFAULT, 4, Map.of("pg1", ShardRanges.parse("0-1"), "pg2", ShardRanges.parse("2-3")));
        new Provisioner(definition, Map.of("pg1", pg1.dataSource(), "pg2", pg2.dataSource()), ShardMigrations.none())
                .provision();
    }

    record Ended(int code, String output) {}

    TestDatabase pg1() {
        return pg1;
    }

    TestDatabase pg2() {
        return pg2;
    }

    String password() {
        return pg1.server().password();
    }

    List<String> properties() {
        List<String> properties = new ArrayList<>(List.of("sharded-id.shards=4", "sharded-id.migrations="));
        properties.addAll(database("pg1", pg1));
        properties.addAll(database("pg2", pg2));
        return properties;
    }

    private static List<String> database(String name, TestDatabase database) {
        String prefix = "sharded-id.databases." + name + ".";
        return List.of(
                prefix + "url=" + database.url(),
                prefix + "username=" + database.server().username(),
                prefix + "password=" + database.server().password(),
                prefix + "replication.host=" + database.server().peerHost(),
                prefix + "replication.port=" + database.server().peerPort());
    }

    /** Runs an application as a process of its own. */
    Ended run(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                OperationMain.class.getName(),
                "--spring.main.banner-mode=off",
                "--spring.main.web-application-type=none"));
        properties().forEach(property -> command.add("--" + property));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), output);
    }
}
