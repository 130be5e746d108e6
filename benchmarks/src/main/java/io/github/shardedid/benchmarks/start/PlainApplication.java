package io.github.shardedid.benchmarks.start;

import io.github.shardedid.benchmarks.jpa.SavedPlainly;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

/** An application of one entity of plain JPA, started without this library on the class path. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class PlainApplication {
    @Bean
    static PersistenceManagedTypes entities() {
        return PersistenceManagedTypes.of(SavedPlainly.class.getName());
    }

    public static void main(String[] arguments) {
        Started.tell(PlainApplication.class, arguments);
    }
}
