package io.github.shardedid.example;

import io.github.shardedid.test.PostgresServers;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** One application on three servers, shared by the tests that leave them running. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT, properties = "example.samples=false")
abstract class OnThreeServers {
    static final Databases DATABASES =
            Databases.on(List.of(PostgresServers.shared(1), PostgresServers.shared(2), PostgresServers.shared(3)));

    private static final AtomicInteger NAMES = new AtomicInteger();

    @Value("http://localhost:${local.server.port}")
    @SuppressWarnings("NullAway.Init")
    String baseUrl;

    @DynamicPropertySource
    static void databases(DynamicPropertyRegistry registry) {
        DATABASES.register(registry);
    }

    Api api() {
        return new Api(baseUrl);
    }

    /** A name that no other test has. */
    static String newName() {
        return "user-" + NAMES.incrementAndGet();
    }
}
