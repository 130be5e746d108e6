package io.github.shardedid;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.stream.Stream;

/** Types of a package {@code X.internal} are used within {@code X} only. */
final class InternalTypes extends ArchCondition<JavaClass> {
    private static final String ROOT = InternalTypes.class.getPackageName();

    InternalTypes() {
        super("use types in X.internal only from within X");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        type.getDirectDependenciesFromSelf().stream()
                .filter(InternalTypes::reachesIntoAnInternalOfAnother)
                .forEach(use -> events.add(SimpleConditionEvent.violated(use, use.getDescription())));
    }

    private static boolean reachesIntoAnInternalOfAnother(Dependency use) {
        JavaClass used = use.getTargetClass();
        return used.getPackageName().startsWith(ROOT + ".")
                && Stream.of(used.getPackageName().split("\\.", -1)).anyMatch("internal"::equals)
                && !topLevelPackageOf(used).equals(topLevelPackageOf(use.getOriginClass()))
                && !isWhatRoutingOffersCore(used, topLevelPackageOf(use.getOriginClass()))
                && !isOfTheSameModule(topLevelPackageOf(use.getOriginClass()), topLevelPackageOf(used));
    }

    /** The generators and the integration with Hibernate tell a connection what no user has to; the latter reads statements, too. */
    private static boolean isWhatRoutingOffersCore(JavaClass used, String user) {
        boolean control = used.getName().equals(ROOT + ".routing.internal.RoutingControl");
        boolean statements = used.getName().startsWith(ROOT + ".routing.internal.UnsentStatements");
        return (control && user.equals("generator")) || ((control || statements) && user.equals("hibernate"));
    }

    /** {@code operations.internal} is what provisioning and moves share. */
    private static boolean isOfTheSameModule(String user, String used) {
        return used.equals("operations") && (user.equals("provisioning") || user.equals("move"));
    }

    private static String topLevelPackageOf(JavaClass type) {
        String name = type.getPackageName();
        return name.length() <= ROOT.length()
                ? ""
                : name.substring(ROOT.length() + 1).split("\\.", -1)[0];
    }
}
