package io.github.shardedid;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class StarterArchitectureTests {
    private static final String TEST_KIT = "io.github.shardedid.boot.test..";

    private static final JavaClasses STARTER = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> location.contains("/spring/data/") || location.contains("/boot/"))
            .importPackages("io.github.shardedid.spring", "io.github.shardedid.boot");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.github.shardedid.(**)").should().beFreeOfCycles().check(STARTER);
    }

    @Test
    void springDatasRoutingKnowsNothingOfSpringBoot() {
        noClasses()
                .that()
                .resideInAPackage("io.github.shardedid.spring..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.github.shardedid.boot..", "org.springframework.boot..")
                .check(STARTER);
    }

    @Test
    void nobodyReachesIntoTheInternalsOfCore() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.github.shardedid..internal..")
                .check(STARTER);
    }

    @Test
    void nothingElseNeedsTheTestKit() {
        noClasses()
                .that()
                .resideOutsideOfPackage(TEST_KIT)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        TEST_KIT, "org.junit..", "org.assertj..", "io.zonky..", "org.springframework.test..")
                .check(STARTER);
    }

    @Test
    void uncheckedExceptionsHaveOneRoot() {
        classes()
                .that()
                .haveSimpleNameEndingWith("Exception")
                .should()
                .beAssignableTo(ShardedIdException.class)
                .check(STARTER);
    }
}
