package io.github.shardedid.boot.rehearsal;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** One package for Spring Boot, which sees core's API only, and one for Hibernate, which knows nothing of Spring. */
class RehearsalArchitectureTests {
    private static final String HIBERNATE = "io.github.shardedid.hibernate.rehearsal";
    private static final JavaClasses REHEARSAL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.github.shardedid.boot.rehearsal", HIBERNATE);

    @Test
    void nobodyReachesIntoTheInternalsOfCoreButTheIntegrationWithHibernate() {
        noClasses()
                .that()
                .resideOutsideOfPackage(HIBERNATE)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.github.shardedid..internal..")
                .check(REHEARSAL);
    }

    @Test
    void theIntegrationWithHibernateKnowsNoSpring() {
        noClasses()
                .that()
                .resideInAPackage(HIBERNATE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.springframework..", "io.github.shardedid.boot..", "io.github.shardedid.spring..")
                .check(REHEARSAL);
    }
}
