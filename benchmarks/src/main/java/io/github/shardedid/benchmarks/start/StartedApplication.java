package io.github.shardedid.benchmarks.start;

import io.github.shardedid.benchmarks.jpa.SavedByDatabase;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

/** An application of one sharded entity, or of {@link ShardedEntities}. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class StartedApplication {
    @Bean
    static PersistenceManagedTypes entities(Environment environment) {
        return environment.containsProperty(Started.MANY)
                ? ShardedEntities.entities()
                : PersistenceManagedTypes.of(SavedByDatabase.class.getName());
    }

    public static void main(String[] arguments) {
        Started.tell(StartedApplication.class, arguments);
    }
}
