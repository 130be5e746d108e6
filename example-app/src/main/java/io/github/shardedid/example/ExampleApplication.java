package io.github.shardedid.example;

import io.github.shardedid.example.servers.EmbeddedServersLauncher;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Photo sharing over HTTP. Starts embedded PostgreSQL servers unless {@code sharded-id.databases} is set. */
@SpringBootApplication
public class ExampleApplication {
    /**
     * Starts the application, and the embedded servers if necessary.
     *
     * @param args properties such as {@code --server.port=8081}
     */
    public static void main(String[] args) {
        SpringApplication application = new SpringApplication(ExampleApplication.class);
        application.addListeners(new EmbeddedServersLauncher());
        application.run(args);
    }
}
