package io.github.shardedid.boot.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.shardedid.boot.actuate.ShardedActuatorAutoConfiguration;
import io.github.shardedid.boot.app.DatabaseProperties;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.util.ReflectionTestUtils;

/** A secret in a setting, right or wrong, is in no log, message or endpoint. */
@ExtendWith(OutputCaptureExtension.class)
class SecretsIntegrationTests {
    private static final String SECRET = "s3cr3t";
    /** Where no connection comes about, however long the pool waits for it. */
    private static final String NO_WAIT = "sharded-id.databases.pg1.hikari.connection-timeout=250";

    private final TestDatabase database = PostgresServers.shared(1).newDatabase();
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ShardedIdAutoConfiguration.class))
            .withPropertyValues("sharded-id.shards=2", "sharded-id.migrations=", "sharded-id.databases.pg1.shards=0-1")
            .withPropertyValues(DatabaseProperties.of("pg1", database).toArray(String[]::new));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "databases.pg1.url=jdbc:postgresql://localhost:x/app?password=s3cr3t",
                "databases.pg1.url=jdbc:postgresql://localhost:99999/app?password=s3cr3t",
                "databases.pg1.url=jdbc:postgresql://app:s3cr3t@localhost/app",
                "databases.pg1.url=jdbc:postgresql://app:s3cr3t@x@localhost:1/app",
                "databases.pg1.url=jdbc:postgresql://localhost:1/app&password=s3cr3t",
                "databases.pg1.url=jdbc:postgresql://localhost:1/app;password=s3cr3t",
                "databases.pg1.url=jdbc:postgresql://localhost:1/app?password=%zzs3cr3t",
                "databases.pg1.url=jdbc:postgresql://localhost:1/app?user=app&password=s3cr3t",
                "databases.pg1.url=jdbc:postgresql://localhost:1/a/b?password=s3cr3t",
                "databases.pg1.url=jdbc:postgresql://[::1/app?password=s3cr3t",
                "databases.pg1.url=jdbc:mysql://app:s3cr3t@localhost/app",
                "databases.pg1.url=postgres://app:s3cr3t@localhost/app",
                "databases.pg1.url=jdbc:postgresql://localhost:1/app?=s3cr3t",
                "databases.pg1.hikari.pasword=s3cr3t",
                "databases.pg1.hikari.maximum-pool-size=s3cr3t",
                "databases.pg1.hikari.jdbc-url=jdbc:postgresql://app:s3cr3t@localhost/app",
                "hikari.jdbc-url=jdbc:postgresql://localhost:1x/app?password=s3cr3t",
                "hikari.transaction-isolation=FOO",
                "databases.pg1.replicas[0].url=jdbc:postgresql://app:s3cr3t@localhost/app",
                "databases.pg1.replicas[0].hikari.pasword=s3cr3t",
                "databases.pg1.replicas[1].url=jdbc:postgresql://localhost:1/app?password=s3cr3t",
                "databases.pg1.replication.port=s3cr3t"
            })
    void isNotShownByAFailedStart(String setting, CapturedOutput output) {
        // The setting that fails comes last: it may be one of HikariCP's.
        ApplicationContextRunner impatient = runner.withPropertyValues(NO_WAIT, "sharded-id." + setting);
        impatient.run(context -> {
            assertThat(context).hasFailed();
            Throwable failure = requireNonNull(context.getStartupFailure());
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            assertThat(trace.toString()).contains("ShardedId").doesNotContain(SECRET);
            FailureAnalysis analysis = Analyses.of(failure);
            assertThat(analysis.getDescription()).doesNotContain(SECRET);
        });
        assertThat(output.getAll()).doesNotContain(SECRET);
        assertThat(database.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'shard%'"))
                .isEmpty();
    }

    @Test
    void isNotShownByAnApplicationThatRuns(CapturedOutput output) {
        String password = database.server().password();
        runner.withPropertyValues(
                        "sharded-id.databases.pg1.url=" + database.url() + "?password=" + password + SECRET
                                + "&user=nobody",
                        "sharded-id.databases.pg1.hikari.data-source-properties.sslpassword=" + SECRET,
                        "sharded-id.provisioning.enabled=false",
                        NO_WAIT)
                .run(context -> assertThat(context).hasFailed());
        runner.withPropertyValues(
                        "sharded-id.databases.pg1.hikari.data-source-properties.sslpassword=" + SECRET,
                        "sharded-id.databases.pg1.replication.password=" + SECRET,
                        "sharded-id.flyway.placeholders.key=" + SECRET)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    List<SanitizingFunction> functions = List.copyOf(
                            context.getBeansOfType(SanitizingFunction.class).values());
                    var report = new ConfigurationPropertiesReportEndpoint(functions, Show.ALWAYS);
                    report.setApplicationContext(context);
                    context.getBeansOfType(ShardedIdProperties.class).values().forEach(each -> assertThat(
                                    each.toString() + each.databases() + each.flyway())
                            .doesNotContain(SECRET));
                    StringBuilder shown = new StringBuilder();
                    report.configurationProperties().getContexts().values().forEach(each -> each.getBeans()
                            .values()
                            .forEach(bean -> shown.append(bean.getProperties()).append(bean.getInputs())));
                    new EnvironmentEndpoint(context.getEnvironment(), functions, Show.ALWAYS)
                            .environment(null)
                            .getPropertySources()
                            .forEach(source -> source.getProperties()
                                    .forEach((name, value) -> shown.append(name).append(value.getValue())));
                    assertThat(shown).contains("sharded-id").doesNotContain(SECRET);
                });
        assertThat(output.getAll()).doesNotContain(SECRET);
    }

    /** Everything of the library in the log, every bean as text, health with its details, and the endpoint. */
    @Test
    void isNotShownByBeansLogsAndEndpoints(CapturedOutput output) {
        Logger logger = (Logger) LoggerFactory.getLogger("io.github.shardedid");
        Level before = logger.getLevel();
        logger.setLevel(Level.TRACE);
        Logger pools = (Logger) LoggerFactory.getLogger("com.zaxxer.hikari");
        Level poolsBefore = pools.getLevel();
        pools.setLevel(Level.TRACE);
        java.util.logging.Logger driver = java.util.logging.Logger.getLogger("org.postgresql");
        Handler handler = new StreamHandler(System.out, new SimpleFormatter());
        handler.setLevel(java.util.logging.Level.ALL);
        driver.setLevel(java.util.logging.Level.FINE);
        driver.addHandler(handler);
        try {
            runner.withConfiguration(AutoConfigurations.of(ShardedActuatorAutoConfiguration.class))
                    .withPropertyValues(
                            "management.endpoints.web.exposure.include=*",
                            "sharded-id.databases.pg1.url=" + database.url() + "?sslpassword=" + SECRET
                                    + "&ssl=false&idpPassword=" + SECRET,
                            "sharded-id.databases.pg1.hikari.data-source-properties.sslfactoryarg=" + SECRET,
                            "sharded-id.databases.pg1.hikari.data-source-properties.secretsToken=" + SECRET,
                            "sharded-id.databases.pg1.direct-url=" + database.url() + "?sslpassword=" + SECRET,
                            "sharded-id.databases.pg1.replication.password=" + SECRET)
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        StringBuilder shown = new StringBuilder();
                        context.getBeansOfType(Object.class).values().stream()
                                .filter(bean -> bean.getClass().getName().startsWith("io.github.shardedid"))
                                .forEach(shown::append);
                        CompositeHealthContributor databases = context.getBean(CompositeHealthContributor.class);
                        databases.stream()
                                .forEach(entry -> shown.append(((HealthIndicator) entry.contributor()).health(true)));
                        shown.append(
                                ReflectionTestUtils.<Object>invokeMethod(context.getBean("shardsEndpoint"), "shards"));
                        assertThat(shown).contains("pg1").doesNotContain(SECRET);
                    });
        } finally {
            logger.setLevel(before);
            pools.setLevel(poolsBefore);
            handler.flush();
            driver.removeHandler(handler);
            driver.setLevel(null);
        }
        assertThat(output.getAll())
                .contains("io.github.shardedid", "Connecting with URL: " + database.url(), "dataSourceProperties....")
                .doesNotContain(SECRET);
    }
}
