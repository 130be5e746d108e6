package io.github.shardedid.benchmarks.started;

import io.github.shardedid.benchmarks.start.Started;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;

/** An application of one sharded entity. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EntityScan(basePackageClasses = StartedPhoto.class)
public class StartedApplication {
    public static void main(String[] arguments) {
        Started.tell(StartedApplication.class, arguments);
    }
}
