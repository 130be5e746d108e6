package io.github.shardedid.attack;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Date;
import org.junit.jupiter.api.Test;

/**
 * A JVM's wall clock may step as it likes: no code that makes, leases or encodes ids reads it. The attack need not step it.
 */
class WallClockTests {
    private static final JavaClasses MAKERS_OF_IDS = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.github.shardedid.generator", "io.github.shardedid.id");

    @Test
    void nothingThatMakesIdsReadsTheWallClock() {
        ArchRule rule = noClasses()
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(LocalDateTime.class, "now")
                .orShould()
                .callMethod(OffsetDateTime.class, "now")
                .orShould()
                .callMethod(ZonedDateTime.class, "now")
                .orShould()
                .callConstructor(Date.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class);
        rule.check(MAKERS_OF_IDS);
    }
}
