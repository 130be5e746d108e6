package io.github.shardedid.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.FileSystemResource;

/** The configuration that the README shows is bound. */
class DocumentedConfigurationTests {
    @Test
    void theReadmesConfigurationIsBound() throws IOException {
        ShardedIdProperties properties = bound("application.yml");

        assertThat(ConfiguredCluster.definitionOf(properties).shardCount()).isEqualTo(2000);
        assertThat(ConfiguredCluster.definitionOf(properties).initialShards()).containsOnlyKeys("pg1", "pg2");
        assertThat(properties.toString()).doesNotContain("secret");
    }

    @Test
    void aClusterBeginsWithOneDatabase() throws IOException {
        assertThat(ConfiguredCluster.definitionOf(bound("one-database.yml")).initialShards())
                .containsOnlyKeys("pg1");
    }

    @Test
    void thePageListsTheAutoConfigurations() throws IOException {
        Set<String> listed = new TreeSet<>();
        Matcher names = Pattern.compile("(?m)^\\| `(io\\.github\\.shardedid\\.boot\\.\\S+AutoConfiguration)` \\|")
                .matcher(Files.readString(Path.of("../docs/configuration.md")));
        while (names.find()) {
            listed.add(names.group(1));
        }
        assertThat(listed)
                .isEqualTo(new TreeSet<>(
                        ImportCandidates.load(
                                        AutoConfiguration.class, getClass().getClassLoader())
                                .getCandidates()
                                .stream()
                                .filter(name -> name.startsWith("io.github.shardedid."))
                                .toList()));
    }

    private static ShardedIdProperties bound(String file) throws IOException {
        StandardEnvironment environment = new StandardEnvironment();
        new YamlPropertySourceLoader()
                .load("documented", new FileSystemResource("src/test/resources/documented/" + file))
                .forEach(environment.getPropertySources()::addLast);
        environment
                .getPropertySources()
                .addLast(new MapPropertySource(
                        "secrets", java.util.Map.of("PG1_PASSWORD", "one-secret", "PG2_PASSWORD", "another")));

        return Binder.get(environment)
                .bind("sharded-id", ShardedIdProperties.class)
                .get();
    }
}
