package io.github.shardedid.boot.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.github.shardedid.ShardedIdException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Every exception of the project that can stop a start has advice of its own. */
class FailureAnalyzersTests {
    /** What only a call of a running application meets. A new exception is either here or in {@link FailureActions}. */
    private static final Set<String> AT_RUN_TIME = Set.of(
            "AssociationAcrossShardsException",
            "MisplacedRowException",
            "MixedStatementException",
            "PartialWriteException",
            "SecondWriteShardException",
            "ShardKeyException",
            "ShardKeyMismatchException",
            "UndeclaredWriteException",
            "UnmergeableQueryException",
            "UnroutableMethodException");

    @Test
    void everyExceptionHasAdviceOrCannotStopAStart() {
        Set<String> unknown = new TreeSet<>();
        for (JavaClass each : new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                // The test kit stops tests only.
                .withImportOption(location -> !location.contains("/boot/test/"))
                .importPackages("io.github.shardedid")) {
            if (each.isAssignableTo(ShardedIdException.class) && !each.isEquivalentTo(ShardedIdException.class)) {
                boolean known = FailureActions.isKnown(each.reflect());
                assertThat(known && AT_RUN_TIME.contains(each.getSimpleName()))
                        .as(each.getName())
                        .isFalse();
                if (!known && !AT_RUN_TIME.contains(each.getSimpleName())) {
                    unknown.add(each.getName());
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    void bootFindsTheAnalyzers() {
        List<FailureAnalyzer> analyzers = SpringFactoriesLoader.forDefaultResourceLocation()
                .load(
                        FailureAnalyzer.class,
                        SpringFactoriesLoader.FailureHandler.handleMessage((message, failure) -> {}));

        assertThat(analyzers).hasAtLeastOneElementOfType(ShardedIdFailureAnalyzer.class);
    }

    @Test
    void whatHappenedAndWhatToDoAreSaidHoweverDeepTheCauseIs() {
        List<ShardedIdException> failures = new ArrayList<>();
        failures.add(new ShardedIdPropertiesException("sharded-id.shards is not set."));
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
