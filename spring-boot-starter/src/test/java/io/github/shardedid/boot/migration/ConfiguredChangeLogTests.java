package io.github.shardedid.boot.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which scripts of the global schema have to exist. */
class ConfiguredChangeLogTests {
    private static final List<String> BY_DEFAULT = List.of("classpath:db/global");
    private static final LiquibaseProperties SHARDS =
            new LiquibaseProperties("classpath:db/shards.xml", null, null, null, null, Map.of());
    private static final LiquibaseProperties NONE = new LiquibaseProperties(null, null, null, null, null, Map.of());

    @TempDir
    private Path directory;

    private ClassLoader classLoader() throws MalformedURLException {
        return new URLClassLoader(new URL[] {directory.toUri().toURL()}, null);
    }

    @Test
    void noneWhereLiquibaseMigratesTheShards() throws Exception {
        assertThat(ConfiguredChangeLog.globalScripts(SHARDS, BY_DEFAULT, classLoader()))
                .isEmpty();
        List<String> own = List.of("classpath:db/own");
        assertThat(ConfiguredChangeLog.globalScripts(SHARDS, own, classLoader()))
                .isEqualTo(own);
        assertThat(ConfiguredChangeLog.globalScripts(NONE, BY_DEFAULT, classLoader()))
                .as("a forgotten script of an application with Flyway")
                .isEqualTo(BY_DEFAULT);
    }

    @Test
    void scriptsThatAreThereRun() throws Exception {
        Files.createDirectories(directory.resolve("db/global"));
        Files.writeString(directory.resolve("db/global/V1__plans.sql"), "SELECT 1");
        assertThat(ConfiguredChangeLog.globalScripts(SHARDS, BY_DEFAULT, classLoader()))
                .isEqualTo(BY_DEFAULT);
    }
}
