package io.github.shardedid.example;

import io.github.shardedid.example.servers.EmbeddedServers;
import io.github.shardedid.example.servers.EmbeddedServersLauncher;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The application as its main method starts it, with servers and samples of its own; one for all tests of this JVM. */
final class RunningExample {
    private static final ConfigurableApplicationContext APPLICATION = start();

    private RunningExample() {}

    /** Servers stop when the JVM ends, as they do for a user. */
    private static ConfigurableApplicationContext start() {
        SpringApplication application = new SpringApplication(ExampleApplication.class);
        application.addListeners(new EmbeddedServersLauncher());
        return application.run("--server.port=0");
    }

    static String baseUrl() {
        return "http://localhost:" + APPLICATION.getEnvironment().getRequiredProperty("local.server.port");
    }

    static Api api() {
        return new Api(baseUrl());
    }

    /** Starts a server again; does nothing if it runs. */
    static void start(String database) {
        APPLICATION.getBean(EmbeddedServers.class).start(database);
    }
}
