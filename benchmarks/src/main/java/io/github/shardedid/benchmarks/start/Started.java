package io.github.shardedid.benchmarks.start;

import jakarta.persistence.EntityManagerFactory;
import java.lang.management.ManagementFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** A process that starts an application, prints the start time and memory, and exits. Does not depend on this library. */
final class Started {
    /** Before the time since the process began. */
    static final String SECONDS = "started in seconds: ";
    /** Before the heap in use after a collection. */
    static final String MEGABYTES = "heap in MB: ";

    /** A property with which an application has twenty entities instead of one. */
    static final String MANY = "twenty-entities";

    private Started() {}

    /** Starts an application. */
    static void tell(Class<?> application, String[] arguments) {
        try (ConfigurableApplicationContext context = SpringApplication.run(application, arguments)) {
            context.getBean(EntityManagerFactory.class).getMetamodel();
            long started = ManagementFactory.getRuntimeMXBean().getStartTime();
            System.out.println(SECONDS + (System.currentTimeMillis() - started) / 1e3);
            System.gc();
            System.out.println(MEGABYTES
                    + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6);
        }
    }
}
