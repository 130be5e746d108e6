package io.github.shardedid.benchmarks.startedplainly;

import io.github.shardedid.benchmarks.start.Started;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;

/** An application of one entity of plain JPA. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EntityScan(basePackageClasses = PlainPhoto.class)
public class PlainApplication {
    public static void main(String[] arguments) {
        Started.tell(PlainApplication.class, arguments);
    }
}
