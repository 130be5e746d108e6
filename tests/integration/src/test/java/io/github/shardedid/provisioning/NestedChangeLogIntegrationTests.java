package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.test.TestDatabase;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.loader.launch.LaunchedClassLoader;
import org.springframework.boot.loader.net.protocol.Handlers;
import org.springframework.boot.loader.net.protocol.jar.JarUrl;

/** A change log in an executable JAR of Spring Boot, read by its class loader. */
class NestedChangeLogIntegrationTests {
    private static final String SET =
            "--liquibase formatted sql\n--changeset kim:%1$s\nCREATE TABLE %1$s (id bigint PRIMARY KEY)\n";

    private static Path jar(Path directory) throws IOException {
        Map<String, String> files = new LinkedHashMap<>();
        for (String folder : new String[] {"", "db/", "db/nested/", "db/nested/sets/", "db/nested/sets/deep/"}) {
            files.put(folder, "");
        }
        files.put(
                "db/nested/all.yaml",
                "databaseChangeLog:\n  - includeAll: {path: db/nested/sets, endsWithFilter: .sql}\n");
        files.put("db/nested/sets/b.sql", SET.formatted("second"));
        files.put("db/nested/sets/a.sql", SET.formatted("first"));
        files.put("db/nested/sets/deep/c.sql", SET.formatted("third"));
        files.put("db/nested/sets/notes.txt", "none of them");
        Path jar = directory.resolve("app.jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                entries.putNextEntry(new JarEntry("BOOT-INF/classes/" + file.getKey()));
                entries.write(file.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }

    @Test
    void includeAllFindsTheFilesOfADirectory(@TempDir Path directory) throws IOException {
        Handlers.register();
        TestCluster cluster = TestCluster.ofTwo();
        TestDatabase pg2 = cluster.database("pg2");
        URL classes = JarUrl.create(jar(directory).toFile(), "BOOT-INF/classes/");
        try (LaunchedClassLoader loader =
                new LaunchedClassLoader(false, new URL[] {classes}, getClass().getClassLoader())) {
            new Provisioner(
                            cluster.definition(),
                            cluster.sources(),
                            ShardMigrations.of(loader, ChangeLog.at("db/nested/all.yaml")),
                            cluster.layout()::epoch)
                    .provision();
        }

        assertThat(pg2.query("SELECT id || '|' || filename FROM shard_0005.databasechangelog ORDER BY orderexecuted"))
                .containsExactly(
                        "first|db/nested/sets/a.sql", "second|db/nested/sets/b.sql", "third|db/nested/sets/deep/c.sql");
    }
}
