package io.github.shardedid.boot.rehearsal;

import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.springframework.context.ApplicationContext;

/** The classes of tests that use the application's context: they tell one context from another. Safe for use by several threads. */
final class RehearsedTests {
    private final Set<String> names = new ConcurrentSkipListSet<>();

    void add(Class<?> test) {
        names.add(test.getName());
    }

    /** The application's name and active profiles, and the tests. */
    String describe(ApplicationContext context) {
        String[] profiles = context.getEnvironment().getActiveProfiles();
        return context.getId()
                + (profiles.length == 0 ? "" : " with the profiles " + String.join(", ", profiles))
                + (names.isEmpty() ? "" : " in " + String.join(", ", names));
    }
}
