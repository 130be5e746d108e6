package io.github.shardedid.boot.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.provisioning.ProvisioningException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
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

    @Test
    void allFailuresAreExplainedTogether() {
        ShardedIdException several = new ShardedIdMappingException(List.of("Photo is wrong.", "Database pg1 is old."));
        several.addSuppressed(
                new ProvisioningException(ProvisioningException.Reason.UNSUPPORTED_VERSION, "Database pg1 is old."));
        several.getSuppressed()[0].addSuppressed(
                ClusterConfigurationException.Reason.SHARD_RANGES.of("Shard 3 is missing."));
        FailureAnalysis all = requireNonNull(new ShardedIdFailureAnalyzer().analyze(several));
        assertThat(all.getDescription()).startsWith("Found 2 problems");
        assertThat(all.getAction())
                .contains("Correct the mappings", "Upgrade the server", "ranges of exactly one database");
    }

    @Test
    void whatHappenedAndWhatToDoAreSaidHoweverDeepTheCauseIs() {
        List<ShardedIdException> failures = new ArrayList<>();
        failures.add(new ClusterConfigurationException("sharded-id.shards is not set."));
        failures.add(new ShardedIdException("A kind that is not known yet.") {});

        assertThat(failures).allSatisfy(failure -> {
            FailureAnalysis analysis = requireNonNull(new ShardedIdFailureAnalyzer()
                    .analyze(new BeanCreationException("dataSource", "failed", new IllegalStateException(failure))));
            assertThat(analysis.getDescription()).isEqualTo(failure.getMessage());
            assertThat(analysis.getAction()).endsWith(".");
            assertThat(analysis.getCause()).isSameAs(failure);
        });
    }
}
