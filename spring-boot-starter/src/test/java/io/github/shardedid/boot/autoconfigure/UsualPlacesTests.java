package io.github.shardedid.boot.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** Profiles and secrets from where applications on Boot have them. */
class UsualPlacesTests {
    @TempDir
    private Path directory;

    @Configuration(proxyBeanMethods = false)
    @EnableConfigurationProperties(ShardedIdProperties.class)
    static class Properties {}

    @BeforeEach
    void files() throws IOException {
        Files.writeString(
                directory.resolve("application.yml"),
                """
                sharded-id:
                  shards: 8
                  databases:
                    pg1: { url: "jdbc:postgresql://pg1/app", username: app, password: "${pg1-password:none}", shards: 0-7 }
                """);
        Files.writeString(
                directory.resolve("application-production.yml"),
                """
                sharded-id:
                  databases:
                    pg1.url: jdbc:postgresql://pg1.internal/app
                    pg2: { url: "jdbc:postgresql://pg2.internal/app", username: app }
                """);
    }

    private void bound(Consumer<ShardedIdProperties> check, String... properties) {
        new ApplicationContextRunner()
                .withInitializer(new ConfigDataApplicationContextInitializer())
                .withUserConfiguration(Properties.class)
                .withPropertyValues("spring.config.location=" + directory + "/")
                .withPropertyValues(properties)
                .run(context -> check.accept(context.getBean(ShardedIdProperties.class)));
    }

    private static ShardedIdProperties.Database database(ShardedIdProperties properties, String name) {
        return requireNonNull(properties.databases().get(name));
    }

    /** As the secrets of a container are mounted at /run/secrets: a file each, often with a line's end. */
    @Test
    void aPasswordIsAFileOfAConfigurationTree() throws IOException {
        Path secrets = Files.createDirectory(directory.resolve("secrets"));
        Files.writeString(secrets.resolve("pg1-password"), "s3cret\n");
        bound(
                properties -> {
                    assertThat(database(properties, "pg1").password()).isEqualTo("s3cret");
                    assertThat(properties.toString()).doesNotContain("s3cret");
                },
                "spring.config.import=optional:configtree:" + secrets + "/");
        Files.writeString(secrets.resolve("sharded-id.databases.pg1.password"), "an0ther\n");
        bound(
                properties -> assertThat(database(properties, "pg1").password()).isEqualTo("an0ther"),
                "spring.config.import=optional:configtree:" + secrets + "/");
    }

    @Test
    void withoutTheTreeThereIsWhatTheFileSays() {
        bound(
                properties -> assertThat(database(properties, "pg1").password()).isEqualTo("none"),
                "spring.config.import=optional:configtree:" + directory + "/nowhere/");
    }

    @Test
    void aProfileAddsDatabasesAndChangesWhatItNames() {
        bound(properties -> assertThat(properties.databases()).containsOnlyKeys("pg1"));
        bound(
                properties -> {
                    assertThat(properties.databases()).containsOnlyKeys("pg1", "pg2");
                    assertThat(database(properties, "pg1").url()).isEqualTo("jdbc:postgresql://pg1.internal/app");
                    assertThat(database(properties, "pg1").shards()).containsExactly("0-7");
                },
                "spring.profiles.active=production");
    }
}
