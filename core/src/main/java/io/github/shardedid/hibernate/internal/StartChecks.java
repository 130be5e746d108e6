package io.github.shardedid.hibernate.internal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/** Asks the databases while Hibernate makes the rest of its session factory, which is not handed out before they have answered. */
final class StartChecks implements SessionFactoryObserver {
    private final transient CompletableFuture<Void> checks;

    private StartChecks(CompletableFuture<Void> checks) {
        this.checks = checks;
    }

    /** Runs each check on a thread of its own. If one throws, so does the creation of the session factory. */
    static void begin(SessionFactoryImplementor factory, List<Runnable> checks) {
        factory.addObserver(new StartChecks(CompletableFuture.allOf(checks.stream()
                .map(check -> CompletableFuture.runAsync(check, StartChecks::execute))
                .toArray(CompletableFuture[]::new))));
    }

    private static void execute(Runnable check) {
        Thread thread = new Thread(check, "sharded-id-start-check");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void sessionFactoryCreated(SessionFactory factory) {
        try {
            checks.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }
}
