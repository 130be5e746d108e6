package io.github.shardedid.boot.startup;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ConnectionBeans;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdPropertiesException;
import io.github.shardedid.provisioning.ShardMigrations;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindingPostProcessor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.AnnotationConfigUtils;
import org.springframework.core.env.Environment;

/**
 * Runs a command before the beans of the application are created, and exits with 0: nothing is served, scheduled or
 * provisioned. A failed command is a failed start, which exits with 1.
 */
final class CommandListener implements ApplicationListener<ApplicationPreparedEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(CommandListener.class);

    private final IntConsumer exit;

    CommandListener() {
        this(System::exit);
    }

    CommandListener(IntConsumer exit) {
        this.exit = exit;
    }

    @Override
    public void onApplicationEvent(ApplicationPreparedEvent event) {
        Environment environment = event.getApplicationContext().getEnvironment();
        Binder binder = Binder.get(environment);
        List<Command> given = Commands.ALL.stream()
                .filter(command -> binder.bind(command.property(), String.class).isBound())
                .toList();
        if (given.isEmpty()) {
            return;
        }
        if (given.size() > 1) {
            throw new ShardedIdPropertiesException("Only one command can run at a time, but these are given: "
                    + given.stream().map(Command::property).toList() + ". Remove all but one.");
        }
        Command command = given.get(0);
        if (!ConfiguredCluster.isConfigured(environment)) {
            throw new ShardedIdPropertiesException(command.property() + " is given, but sharded-id.databases names no"
                    + " database. Run it with the configuration of the application.");
        }
        ConfiguredCluster cluster = ConfiguredCluster.of(environment);
        BeanFactoryPostProcessor work = beans -> {
            run(command, binder, cluster, beans);
            LOG.info("{} is done; the application is not started", command.property());
            exit.accept(0);
        };
        // A manually registered singleton runs last: all bean definitions are known then, and placeholders are
        // resolved.
        event.getApplicationContext().getBeanFactory().registerSingleton(command.property(), work);
    }

    private static void run(
            Command command, Binder binder, ConfiguredCluster configured, ConfigurableListableBeanFactory beans) {
        MigrationBeans.prepare(beans);
        ConfiguredCluster cluster = configured.with(ConnectionBeans.of(beans));
        try (ShardedDatabases pools = cluster.openPools()) {
            String value = binder.bind(command.property(), String.class).get();
            command.action()
                    .accept(new CommandContext(
                            command.property(),
                            value,
                            binder,
                            cluster,
                            pools,
                            () -> MigrationBeans.migrations(beans, cluster)));
        } catch (ShardedIdException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(command.property() + " failed", e);
        }
    }

    /**
     * A command on the command line.
     *
     * @param name the name of its property below {@code sharded-id}
     * @param action runs the command. It logs its progress
     */
    record Command(String name, Consumer<CommandContext> action) {
        String property() {
            return "sharded-id." + name;
        }
    }

    /**
     * Gets the migrations of an application that does not start. Creates their bean, the beans that customize Flyway or know connections,
     * and the beans that these depend on.
     */
    static final class MigrationBeans {
        /** Post-processors that inject into fields and methods; they are not registered yet. */
        private static final List<String> INJECTION = List.of(
                AnnotationConfigUtils.AUTOWIRED_ANNOTATION_PROCESSOR_BEAN_NAME,
                AnnotationConfigUtils.COMMON_ANNOTATION_PROCESSOR_BEAN_NAME,
                ConfigurationPropertiesBindingPostProcessor.class.getName());

        private MigrationBeans() {}

        /** Once, before any bean is created. */
        static void prepare(ConfigurableListableBeanFactory beans) {
            INJECTION.stream()
                    .filter(beans::containsBeanDefinition)
                    .forEach(name -> beans.addBeanPostProcessor(beans.getBean(name, BeanPostProcessor.class)));
        }

        static ShardMigrations migrations(ConfigurableListableBeanFactory beans, ConfiguredCluster cluster) {
            return beans.getBeanProvider(ShardMigrations.class, false)
                    .getIfAvailable(() -> cluster.migrations(MigrationBeans.class.getClassLoader()));
        }
    }
}
