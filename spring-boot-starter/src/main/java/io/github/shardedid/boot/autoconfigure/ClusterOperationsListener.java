package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ShardMigrations;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Does what a property on the command line asks for and exits with 0, before the application is made: nothing is served,
 * scheduled or provisioned. Of its beans only those are made that say how Flyway migrates. A failure is one of the application's
 * start, which exits with 1.
 */
final class ClusterOperationsListener implements ApplicationListener<ApplicationPreparedEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterOperationsListener.class);

    private final IntConsumer exit;

    ClusterOperationsListener() {
        this(System::exit);
    }

    /** Ends the process otherwise. */
    ClusterOperationsListener(IntConsumer exit) {
        this.exit = exit;
    }

    @Override
    public void onApplicationEvent(ApplicationPreparedEvent event) {
        Environment environment = event.getApplicationContext().getEnvironment();
        List<ClusterOperation> asked = operations(environment).stream()
                .filter(operation -> Binder.get(environment)
                        .bind(operation.property(), String.class)
                        .isBound())
                .toList();
        if (asked.isEmpty()) {
            return;
        }
        if (asked.size() > 1) {
            throw new ShardedIdPropertiesException(
                    "Only one thing can be done at once, but these properties are given: "
                            + asked.stream().map(ClusterOperation::property).toList() + ". Leave all but one out.");
        }
        ClusterOperation operation = asked.get(0);
        ShardedIdProperties properties = PropertyCheck.check(environment);
        requireDatabases(operation, properties);
        BeanFactoryPostProcessor work = beans -> {
            run(operation, properties, MigrationBeans.of(beans, properties));
            LOG.info("{} is done; the application is not started", operation.property());
            exit.accept(0);
        };
        // A singleton that is registered by hand comes last: all beans are known then, and placeholders resolved.
        event.getApplicationContext().getBeanFactory().registerSingleton(operation.property(), work);
    }

    private static List<ClusterOperation> operations(Environment environment) {
        List<ClusterOperation> operations =
                new ArrayList<>(List.of(new JvmNodesOperation(), new DriftOperation(), new RepairOperation()));
        operations.addAll(MoveOperation.all(Binder.get(environment)));
        return operations;
    }

    private static void requireDatabases(ClusterOperation operation, ShardedIdProperties properties) {
        if (properties.databases().isEmpty()) {
            throw new ShardedIdPropertiesException(operation.property() + " is given, but sharded-id.databases names no"
                    + " database. Run it with the configuration of the application.");
        }
    }

    private static void run(ClusterOperation operation, ShardedIdProperties properties, ShardMigrations migrations) {
        ClusterDefinition definition = ConfiguredCluster.definition(properties);
        try (ShardedDatabases databases = DatabasePool.ofAll(properties, definition)) {
            operation.run(properties, definition, databases, migrations);
        } catch (ShardedIdException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(operation.property() + " failed", e);
        }
    }
}
