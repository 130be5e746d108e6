package io.github.shardedid.benchmarks.start;

import io.github.shardedid.benchmarks.jpa.SavedPlainly;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

/** An application of one entity of plain JPA, or of {@link PlainEntities}, started without this library on the class path. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class PlainApplication {
    @Bean
    static PersistenceManagedTypes entities(Environment environment) {
        return environment.containsProperty(Started.MANY)
                ? PlainEntities.entities()
                : PersistenceManagedTypes.of(SavedPlainly.class.getName());
    }

    public static void main(String[] arguments) {
        Started.tell(PlainApplication.class, arguments);
    }
}
