package io.github.shardedid.boot.test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class TestKitArchitectureTests {
    /** Only packages of used classes matter, so no class of another module is read. */
    private static final JavaClasses TEST_KIT = ArchConfiguration.withThreadLocalScope(configuration -> {
        configuration.setResolveMissingDependenciesFromClassPath(false);
        return new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages(TestKitArchitectureTests.class.getPackageName());
    });

    /** Each kind of server has optional dependencies: a class that is not loaded without need names them. */
    @Test
    void eachKindOfServersIsNeededInOneClassOnly() {
        noClasses()
                .that()
                .doNotHaveSimpleName("EmbeddedServer")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.zonky..")
                .check(TEST_KIT);
        noClasses()
                .that()
                .doNotHaveSimpleName("ContainerServer")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.testcontainers..", "com.github.dockerjava..")
                .check(TEST_KIT);
    }
}
