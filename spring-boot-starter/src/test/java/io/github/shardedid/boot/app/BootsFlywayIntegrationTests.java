package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Boot's own Flyway is on the class path here. It never touches a shard. */
@ExtendWith(OutputCaptureExtension.class)
class BootsFlywayIntegrationTests {
    private static final String SCRIPTS = "spring.flyway.locations=classpath:db/beside";

    private final RunningApp app = RunningApp.shared();

    private static List<String> made(TestDatabase database) {
        return database.query("SELECT schemaname FROM pg_tables WHERE tablename = 'beside'");
    }

    private void nothingWasMade() {
        assertThat(app.databases).allSatisfy(database -> {
            assertThat(made(database)).isEmpty();
            assertThat(database.query(
                            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename LIKE 'flyway%'"))
                    .isEmpty();
        });
    }

    @Test
    void itStaysAway() {
        try (ConfigurableApplicationContext context = app.start(SCRIPTS)) {
            assertThat(context.getBeansOfType(Flyway.class)).isEmpty();
            assertThat(context.getBean(UserRepository.class)
                            .save(new User("after"))
                            .id())
                    .isPositive();
        }
        nothingWasMade();
    }

    @Test
    void itMigratesADatabaseOfItsOwn() {
        TestDatabase own = PostgresServers.shared(1).newDatabase();
        try (ConfigurableApplicationContext context = app.start(
                SCRIPTS,
                "spring.flyway.url=" + own.url(),
                "spring.flyway.user=" + own.server().username(),
                "spring.flyway.password=" + own.server().password())) {
            assertThat(context.getBeansOfType(Flyway.class)).hasSize(1);
            assertThat(made(own)).containsExactly("public");
        }
        nothingWasMade();
    }

    @Test
    void switchedOnWithoutADatabaseItIsRefusedAndHasChangedNothing(CapturedOutput output) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(PhotoSharing.class)
                .properties(app.properties())
                .initializers(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("of a library", Map.of("spring.flyway.enabled", "true"))));
        assertThatThrownBy(() -> application.run("--" + SCRIPTS))
                .hasRootCauseInstanceOf(ClusterConfigurationException.class);

        assertThat(output).contains("Action:", "Set spring.flyway.url", "property source \"of a library\"");
        nothingWasMade();
    }
}
