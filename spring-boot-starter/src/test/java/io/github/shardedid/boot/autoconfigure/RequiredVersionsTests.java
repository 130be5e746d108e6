package io.github.shardedid.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.ClusterConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.core.env.StandardEnvironment;

class RequiredVersionsTests {
    @Test
    void namesAllLibrariesThatAreTooOldInOneLine() {
        assertThatThrownBy(() -> RequiredVersions.require(Map.of(
                        SpringBootVersion.class.getName(),
                        "4.0.7",
                        "org.hibernate.Version",
                        "7.2.19.Final",
                        "org.springframework.data.jpa.repository.JpaRepository",
                        "4.1.0-RC1")))
                .isInstanceOf(ClusterConfigurationException.class)
                .hasMessage(
                        "sharded-id needs Hibernate ORM 7.4 or later, not 7.2.19.Final; Spring Boot 4.1 or later, not 4.0.7."
                                + " Upgrade the application, or remove sharded-id from it.");
        assertThatThrownBy(() -> RequiredVersions.require(Map.of(SpringBootVersion.class.getName(), "3.5.7")))
                .hasMessageContaining("sharded-id needs Spring Boot 4.1 or later, not 3.5.7.");
    }

    @Test
    void acceptsLaterVersionsAndThoseThatItCannotRead() {
        for (String version : List.of("4.1.0", "4.10.1", "5.0.0-SNAPSHOT", "unknown", "")) {
            assertThatCode(() -> RequiredVersions.require(Map.of(SpringBootVersion.class.getName(), version)))
                    .as(version)
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void acceptsTheVersionsOfThisBuild() {
        var event = new ApplicationEnvironmentPreparedEvent(
                new DefaultBootstrapContext(), new SpringApplication(), new String[0], new StandardEnvironment());

        assertThatCode(() -> new RequiredVersions().onApplicationEvent(event)).doesNotThrowAnyException();
    }

    @Test
    void isCalledAtTheStartOfAnApplication() {
        SpringApplication application = new SpringApplication(Object.class);
        application.setWebApplicationType(WebApplicationType.NONE);

        assertThat(application.getListeners()).hasAtLeastOneElementOfType(RequiredVersions.class);
    }

    @Test
    void thePagesNameTheSameVersions() throws IOException {
        for (String page : List.of("README.md", "docs/getting-started.md")) {
            assertThat(Files.readString(Path.of("..", page)))
                    .as(page)
                    .contains(
                            "| Java | Spring Boot | Hibernate ORM | Spring Data JPA | PostgreSQL |",
                            "| 4.1.x | 7.4.x | 4.1.x |");
        }
    }
}
