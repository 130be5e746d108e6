package io.github.shardedid.boot.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.ReplicationSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** What a database's URL says of encryption applies to all other connections to the database, unless they say otherwise. */
class EncryptionTests {
    private static final String URL = "jdbc:postgresql://server/shop";
    private static final String VERIFIED = URL + "?sslmode=verify-full&sslrootcert=/ca.crt&sslkey=/a%20b.pk8&user=app";

    private final Map<String, String> settings = new TreeMap<>(Map.of("url", VERIFIED, "username", "app"));

    private ShardedIdProperties properties() {
        Map<String, String> all = new TreeMap<>(Map.of("sharded-id.shards", "8"));
        settings.forEach((name, value) -> all.put("sharded-id.databases.pg1." + name, value));
        all.put("sharded-id.databases.pg1.shards", "0-7");
        return new Binder(new MapConfigurationPropertySource(all))
                .bindOrCreate("sharded-id", ShardedIdProperties.class);
    }

    private ShardedDatabases pools(ShardedPoolCustomizer... customizers) {
        ShardedIdProperties properties = properties();
        return DatabasePools.of(
                properties,
                ConfiguredCluster.definitionOf(properties),
                new ConnectionBeans(List.of(), List.of(customizers)));
    }

    private static String url(Map<String, ?> pools) {
        return requireNonNull(((HikariConfig) requireNonNull(pools.get("pg1"))).getJdbcUrl());
    }

    private ReplicationSource replication(ShardedPoolCustomizer... customizers) {
        try (ShardedDatabases pools = pools(customizers)) {
            MoveOptions options = ConfiguredOptions.moves(
                    properties().moves(), properties().databases(), pools.direct(), ConnectionBeans.NONE, List.of());
            return requireNonNull(options.replicationSources().apply("pg1"));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "direct-url, jdbc:postgresql://server:5433/shop",
        "replicas[0].url, jdbc:postgresql://server:5433/shop?sslrootcert=/other"
    })
    void anotherUrlOfTheDatabaseHasToRepeatIt(String property, String other) {
        settings.put(property, other);
        assertThatThrownBy(this::pools)
                .isInstanceOf(ClusterConfigurationException.class)
                .hasMessageContaining(
                        "sharded-id.databases.pg1." + property + " does not say how connections are encrypted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"?sslmode=disable", "?ssl=true"})
    void anotherUrlOfTheDatabaseMayDiffer(String parameters) throws Exception {
        settings.put("direct-url", URL + parameters);
        try (ShardedDatabases pools = pools()) {
            assertThat(url(pools.direct())).isEqualTo(URL + parameters);
            assertThat(url(pools.forMap())).isEqualTo(URL + parameters);
        }
    }

    @Test
    void whatIsNotEncryptedAddsNothing() throws Exception {
        settings.put("url", URL + "?sslmode=prefer&sslrootcert=/ca.crt");
        settings.put("direct-url", URL);
        try (ShardedDatabases pools = pools()) {
            assertThat(url(pools.direct())).isEqualTo(URL);
        }
        assertThat(replication().parameters()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "?sslmode=verify-full, verify-full",
        "?sslmode=verify-ca, verify-ca",
        "?sslmode=require, require",
        "?ssl=true, verify-full",
        "?ssl, verify-full"
    })
    void theServersConnectToEachOtherLikewise(String parameters, String mode) {
        for (String begin : List.of("jdbc:postgresql:", "jdbc:aws-wrapper:postgresql:")) {
            settings.put("url", begin + "//server:5433/shop" + parameters);
            assertThat(replication()).hasToString("app@server:5433/shop (sslmode " + mode + ")");
        }
    }

    @Test
    void soTheyDoIfASettingOfThePoolOrACustomizerSaysSo() {
        settings.put("url", URL);
        assertThat(replication((name, pool) -> pool.addDataSourceProperty("sslmode", "verify-ca"))
                        .parameters())
                .containsExactly(Map.entry("sslmode", "verify-ca"));
        settings.put("hikari.data-source-properties.sslmode", "verify-full");
        assertThat(replication().parameters()).containsExactly(Map.entry("sslmode", "verify-full"));
        settings.put("direct-url", "jdbc:postgresql://direct/shop?sslmode=require");
        assertThat(replication()).hasToString("app@direct:5432/shop (sslmode require)");
    }

    @Test
    void ownParametersCountMore() {
        settings.put("replication.parameters.sslmode", "verify-ca");
        settings.put("replication.parameters.sslpassword", "S3cret");
        assertThat(replication())
                .hasToString("app@server:5432/shop (sslmode verify-ca)")
                .extracting(ReplicationSource::parameters)
                .isEqualTo(Map.of("sslmode", "verify-ca", "sslpassword", "S3cret"));

        settings.put("replication.parameters.password", "S3cret");
        assertThatThrownBy(this::replication)
                .isInstanceOf(ClusterConfigurationException.class)
                .hasMessageContaining("sharded-id.databases.pg1.replication is invalid. The parameter password")
                .hasMessageNotContaining("S3cret");
    }
}
