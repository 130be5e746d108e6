package io.github.shardedid.boot.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.provisioning.DatabasesUnreachableException;
import io.github.shardedid.provisioning.ProvisioningRefusedException;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.topology.ShardRangesException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.mock.env.MockEnvironment;

/** A failed start is explained by the messages of its failures, with what to do. */
class FailureAnalyzersTests {
    @Test
    void bootFindsTheAnalyzer() {
        List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation()
                .load(
                        FailureAnalyzer.class,
                        SpringFactoriesLoader.ArgumentResolver.of(Environment.class, new MockEnvironment()),
                        SpringFactoriesLoader.FailureHandler.handleMessage((message, failure) -> {}));

        assertThat(analyzers).hasAtLeastOneElementOfType(ShardedIdFailureAnalyzer.class);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(ShardedIdAutoConfiguration.class)
    static class App {}

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void bootSaysWhereTheDatabasesWereLookedFor(CapturedOutput output) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(App.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "sharded-id.shards=8",
                        "sharded-id.hikari.connection-timeout=250",
                        "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/app",
                        "sharded-id.databases.pg1.username=keeper",
                        "sharded-id.databases.pg1.password=s3cret",
                        "sharded-id.databases.pg1.shards=0-7");

        assertThatThrownBy(application::run).hasStackTraceContaining("None of the cluster's databases can be reached");

        assertThat(output)
                .contains("Description:", "pg1: jdbc:postgresql://localhost:1/app, user keeper", "Action:")
                .contains("Start the databases")
                .doesNotContain("s3cret");
    }

    @Test
    void databasesThatAreDownAreSaidToBeWhereTheyAreLookedForWithoutAnySecret() {
        MockEnvironment environment = new MockEnvironment()
                .withProperty("sharded-id.databases.pg1.url", "jdbc:postgresql://one:5433/app?password=s3cret")
                .withProperty("sharded-id.databases.pg1.password", "s3cret")
                .withProperty("sharded-id.databases.pg1.username", "app")
                .withProperty("sharded-id.databases.pg10.url", "jdbc:postgresql://ten/app")
                .withProperty("sharded-id.databases.eu-west.shards", "0-7");
        FailureAnalysis start = requireNonNull(new ShardedIdFailureAnalyzer(environment)
                .analyze(new DatabasesUnreachableException("Not reached: {pg1=refused, eu-west=unknown}.")));
        FailureAnalysis later = requireNonNull(new ShardedIdFailureAnalyzer(environment)
                .analyze(new IllegalStateException(new DatabaseUnavailableException("Database pg1 is down.", null))));

        assertThat(start.getDescription())
                .contains(
                        "Not reached",
                        "pg1: jdbc:postgresql://one:5433/app, user app",
                        "eu-west: known to a bean of type ShardedConnectionDetails")
                .doesNotContain("pg10", "s3cret", "keeper");
        assertThat(start.getAction()).contains("Start the databases");
        assertThat(later.getDescription())
                .contains("Database pg1 is down.", "pg1: jdbc:postgresql://one:5433/app")
                .doesNotContain("s3cret");
        assertThat(later.getAction()).contains("Start the database");

        ShardedIdException several = new ShardedIdMappingException(List.of("Photo is wrong.", "Database pg1 is old."));
        several.addSuppressed(new ProvisioningRefusedException(
                ProvisioningRefusedException.Reason.UNSUPPORTED_VERSION, "Database pg1 is old."));
        several.getSuppressed()[0].addSuppressed(new ShardRangesException("Shard 3 is missing."));
        FailureAnalysis all = requireNonNull(new ShardedIdFailureAnalyzer(environment).analyze(several));
        assertThat(all.getDescription()).startsWith("Found 2 problems").contains("pg1: jdbc:postgresql://one:5433/app");
        assertThat(all.getAction())
                .contains("Correct the mappings", "Upgrade the server", "ranges of exactly one database");
    }

    @Test
    void whatHappenedAndWhatToDoAreSaidHoweverDeepTheCauseIs() {
        List<ShardedIdException> failures = new ArrayList<>();
        failures.add(new ShardedIdPropertiesException("sharded-id.shards is not set."));
        failures.add(new ShardedIdException("A kind that is not known yet.") {});

        assertThat(failures).allSatisfy(failure -> {
            FailureAnalysis analysis = requireNonNull(new ShardedIdFailureAnalyzer(new MockEnvironment())
                    .analyze(new BeanCreationException("dataSource", "failed", new IllegalStateException(failure))));
            assertThat(analysis.getDescription()).isEqualTo(failure.getMessage());
            assertThat(analysis.getAction()).endsWith(".");
            assertThat(analysis.getCause()).isSameAs(failure);
        });
    }
}
