package io.github.shardedid;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.github.shardedid.hibernate.internal.ShardingContributor;
import io.github.shardedid.hibernate.internal.ShardingIntegrator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.hibernate.JDBCException;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * Dependencies run one way: {@code id <- topology <- routing <- generator <- hibernate} in core, and {@code operations <- provisioning <- move} in operations. A package
 * that does not exist yet breaks no rule.
 */
class ArchitectureTests {
    private static final String ROOT = ArchitectureTests.class.getPackageName();
    private static final String JSPECIFY = "org.jspecify..";
    /** Each is the only package of a feature: who deletes it, and the lines that install it, has deleted the feature. */
    private static final List<String> FEATURES = List.of("tenants", "unroutable");

    private static final List<String> UNTANGLED =
            List.of("id", "topology", "generator", "routing", "hibernate", "provisioning", "move");
    private static final DescribedPredicate<JavaClass> INSTALLS_FEATURES =
            equivalentTo(ShardingIntegrator.class).or(equivalentTo(ShardingContributor.class));
    /** Core and operations: directories of classes in an IDE and in Maven's test phase, jars later on. */
    private static final JavaClasses MODULES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages(ROOT);

    @Test
    void theClassesOfBothModulesAreFound() {
        assertThat(MODULES.contain(ROOT + ".id.IdLayout")).isTrue();
        assertThat(MODULES.contain(ROOT + ".move.ShardMover")).isTrue();
        assertThat(MODULES.contain(ROOT + ".ArchitectureTests")).isFalse();
    }

    @Test
    void idsNeedTheJdkOnly() {
        check(classes()
                .that()
                .resideInAPackage(in("id"))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", JSPECIFY, ROOT, in("id")));
    }

    @Test
    void theTopologyNeedsTheJdkAndIdsOnly() {
        check(classes()
                .that()
                .resideInAPackage(in("topology"))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", JSPECIFY, ROOT, in("id"), in("topology")));
    }

    @Test
    void theRootPackageNeedsNoOther() {
        check(classes()
                .that()
                .resideInAPackage(ROOT)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", JSPECIFY, ROOT));
    }

    @Test
    void generatorsAndRoutingKnowNothingOfWhatIsBuiltOnThem() {
        check(noClasses()
                .that()
                .resideInAnyPackage(in("generator"), in("routing"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(in("provisioning"), in("move"), in("hibernate")));
    }

    @Test
    void nothingElseNeedsTheHibernateIntegration() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(in("hibernate"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(in("hibernate")));
    }

    @Test
    void aFeatureIsKnownToWhatInstallsItOnly() {
        for (String feature : FEATURES) {
            String own = in("hibernate.internal." + feature);
            check(noClasses()
                    .that(resideOutsideOfPackage(own).and(not(INSTALLS_FEATURES)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(own));
            assertThat(MODULES.that(resideInAPackage(own))).as(feature).isNotEmpty();
        }
    }

    @Test
    void hibernateAndJakartaPersistenceAreUsedInTheirIntegrationOnly() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(in("hibernate"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.hibernate..", "jakarta.persistence.."));
    }

    @Test
    void flywayIsUsedInProvisioningOnly() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(in("provisioning"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.flywaydb.."));
    }

    /** Its artifact is optional: without it, no other class may fail to load. */
    @Test
    void liquibaseIsUsedInItsPackageOnly() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage(in("provisioning.internal.liquibase"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("liquibase.."));
    }

    @Test
    void thereIsNoSpring() {
        check(noClasses().should().dependOnClassesThat().resideInAPackage("org.springframework.."));
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching(ROOT + ".(*)..").should().beFreeOfCycles());
    }

    /** Without the internals, whose types name those of the API and are named by them. */
    @Test
    void thePackagesOfTheApiHaveNoCycles() {
        slices().matching(ROOT + ".(**)")
                .should()
                .beFreeOfCycles()
                .check(MODULES.that(resideOutsideOfPackage("..internal..")));
    }

    /** The API's entry points name their implementations, so only the packages below {@code internal} are compared. */
    @Test
    void theInternalsOfHibernateHaveNoCycles() {
        check(slices().matching(ROOT + ".hibernate.(**)").should().beFreeOfCycles());
    }

    @Test
    void subPackagesOfInternalsHaveNoCycles() {
        check(slices().matching(ROOT + ".(*).internal.(**)").should().beFreeOfCycles());
    }

    @Test
    void subPackagesOfRoutingDoNotUseWhatAssemblesThem() {
        check(noClasses()
                .that()
                .resideInAPackage(ROOT + ".routing.internal.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + ".routing.internal"));
    }

    /** Two or three classes may be one thing. Packages that are not listed are to follow. */
    @Test
    void noMoreThanThreeClassesDependOnEachOther() {
        DescribedPredicate<JavaClass> untangled =
                resideInAnyPackage(UNTANGLED.stream().map(ArchitectureTests::in).toArray(String[]::new));
        assertThat(ClassCycles.largerThan(3, MODULES.that(untangled))).isEmpty();
    }

    @Test
    void theSubPackagesOfProvisioningAndMovesHaveNoCycles() {
        check(slices().matching(ROOT + ".move.internal.(*)..").should().beFreeOfCycles());
        check(slices().matching(ROOT + ".operations.internal.(*)..").should().beFreeOfCycles());
        check(slices().matching(ROOT + ".provisioning.internal.(*)..").should().beFreeOfCycles());
    }

    @Test
    void whatProvisioningAndMovesShareIsBuiltOnCoreAlone() {
        check(noClasses()
                .that()
                .resideInAPackage(in("operations"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(in("provisioning"), in("move")));
    }

    @Test
    void internalTypesAreUsedByTheirOwnTopLevelPackageOnly() {
        check(classes().should(new InternalTypes()));
    }

    @Test
    void whatGoesWrongIsLoggedThroughSlf4jOrThrown() {
        check(NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS);
        // Calls only: javax.sql.DataSource makes its implementors name java.util.logging.Logger.
        check(noClasses().should().callMethodWhere(target(owner(resideInAPackage("java.util.logging")))));
    }

    @Test
    void uncheckedExceptionsHaveOneRoot() {
        check(classes()
                .that()
                .haveSimpleNameEndingWith("Exception")
                .and()
                .areAssignableTo(RuntimeException.class)
                .should()
                .beAssignableTo(ShardedIdException.class)
                // What the database failed at is translated by Spring, as Hibernate's own exceptions are.
                .orShould()
                .beAssignableTo(JDBCException.class));
    }

    @Test
    void namesSayWhatAClassDoes() {
        check(noClasses()
                .should()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Impl"));
    }

    @Test
    void everyPackageIsNullMarked() {
        check(classes().should(resideInANullMarkedPackage()));
    }

    /** The common pool may have a single thread: tasks that wait for each other, or for a server, need others. */
    @Test
    void nothingRunsInTheCommonPool() {
        // Only names of called methods matter, so no class has to be read that is called.
        JavaClasses withTests = ArchConfiguration.withThreadLocalScope(configuration -> {
            configuration.setResolveMissingDependenciesFromClassPath(false);
            return new ClassFileImporter().importPackages(ROOT);
        });
        noClasses()
                .should()
                .callMethod(CompletableFuture.class, "supplyAsync", Supplier.class)
                .check(withTests);
        noClasses()
                .should()
                .callMethod(CompletableFuture.class, "runAsync", Runnable.class)
                .check(withTests);
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(MODULES);
    }

    private static String in(String topLevelPackage) {
        return ROOT + "." + topLevelPackage + "..";
    }

    private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
        return new ArchCondition<>("reside in a package whose package-info says @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
                    events.add(SimpleConditionEvent.violated(type, type.getName() + " is in no @NullMarked package"));
                }
            }
        };
    }
}
