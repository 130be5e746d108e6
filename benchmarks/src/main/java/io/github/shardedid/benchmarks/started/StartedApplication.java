package io.github.shardedid.benchmarks.started;

import jakarta.persistence.EntityManagerFactory;
import java.lang.management.ManagementFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.ConfigurableApplicationContext;

/** An application of one sharded entity, which says what it took to start it, and ends. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EntityScan(basePackageClasses = StartedPhoto.class)
public class StartedApplication {
    /** Before the time since the process began. */
    public static final String SECONDS = "started in seconds: ";
    /** Before the heap in use after a collection. */
    public static final String MEGABYTES = "heap in MB: ";

    public static void main(String[] arguments) {
        try (ConfigurableApplicationContext context = SpringApplication.run(StartedApplication.class, arguments)) {
            context.getBean(EntityManagerFactory.class).getMetamodel();
            long started = ManagementFactory.getRuntimeMXBean().getStartTime();
            System.out.println(SECONDS + (System.currentTimeMillis() - started) / 1e3);
            System.gc();
            System.out.println(MEGABYTES
                    + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6);
        }
    }
}
