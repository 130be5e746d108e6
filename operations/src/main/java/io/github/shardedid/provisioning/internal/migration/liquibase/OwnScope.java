package io.github.shardedid.provisioning.internal.migration.liquibase;

import java.util.Map;
import liquibase.Scope;
import liquibase.ScopeManager;
import liquibase.SingletonScopeManager;
import liquibase.ui.LoggerUIService;
import org.jspecify.annotations.Nullable;

/**
 * Runs Liquibase with a root scope of its own: its services keep state per root scope, which another use of Liquibase in the same JVM
 * resets at its end. Messages go to the log, not to the console.
 */
final class OwnScope {
    private OwnScope() {}

    /** Restores the scope of the thread. */
    static <T> T call(@Nullable ClassLoader resources, Scope.ScopedRunnerWithReturn<T> work) throws Exception {
        Scope before = Scope.getCurrentScope();
        Scope.setScopeManager(new SingletonScopeManager());
        try (ClassPathFiles files =
                new ClassPathFiles(resources == null ? Thread.currentThread().getContextClassLoader() : resources)) {
            return Scope.child(
                    Map.of(Scope.Attr.resourceAccessor.name(), files, Scope.Attr.ui.name(), new LoggerUIService()),
                    work);
        } finally {
            Scope.setScopeManager(new Restored(before));
        }
    }

    /** A manager cannot be asked for, only its scope. */
    private static final class Restored extends ScopeManager {
        private Scope current;

        Restored(Scope current) {
            this.current = current;
        }

        @Override
        public synchronized Scope getCurrentScope() {
            return current;
        }

        @Override
        protected synchronized void setCurrentScope(Scope scope) {
            current = scope;
        }

        @Override
        protected Scope init(Scope scope) {
            return scope;
        }
    }
}
