package io.github.shardedid.example.servers;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Starts embedded servers before the application, and sets {@code sharded-id.databases} to their addresses. Does nothing if
 * the user has configured databases. The servers stop after the application.
 */
public final class EmbeddedServersLauncher implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServersLauncher.class);

    /** Starts the servers after the configuration was read. */
    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        ConfigurableEnvironment environment = event.getEnvironment();
        if (databasesAreGiven(environment)) {
            return;
        }
        EmbeddedSettings settings =
                Binder.get(environment).bindOrCreate("example.embedded", Bindable.of(EmbeddedSettings.class));
        LOG.info("Starting {} PostgreSQL servers", settings.databases().size());
        EmbeddedServers servers = EmbeddedServers.start(settings);
        SpringApplication.getShutdownHandlers().add(servers::close);
        event.getSpringApplication()
                .addInitializers(context -> context.getBeanFactory().registerSingleton("embeddedServers", servers));
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource("embedded PostgreSQL servers", servers.properties()));
    }

    private static boolean databasesAreGiven(ConfigurableEnvironment environment) {
        return Binder.get(environment)
                .bind("sharded-id.databases", Bindable.mapOf(String.class, Object.class))
                .isBound();
    }
}
