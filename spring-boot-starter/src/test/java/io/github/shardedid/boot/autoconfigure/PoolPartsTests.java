package io.github.shardedid.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import io.github.shardedid.pool.PartitionedDataSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The parts of pools; none of them connects. */
class PoolPartsTests {
    private static HikariConfig config(int connections) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("pg1");
        config.setJdbcUrl("jdbc:postgresql://localhost:1/app");
        config.setInitializationFailTimeout(-1);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(0);
        config.setCredentialsProvider(() -> Credentials.of("app", "s3cret"));
        config.addDataSourceProperty("tcpKeepAlive", "true");
        return config;
    }

    private static List<HikariDataSource> parts(HikariConfig config, int shards) throws Exception {
        try (PartitionedDataSource pool = (PartitionedDataSource) PoolParts.create(config, shards)) {
            assertThat(pool.name()).isEqualTo("pg1");
            return pool.parts().stream()
                    .map(part -> (HikariDataSource) part.source())
                    .toList();
        }
    }

    @Test
    void eachConnectionIsAPartAndAtMostSixteen() throws Exception {
        assertThat(parts(config(10), 128)).hasSize(10).allMatch(part -> part.getMaximumPoolSize() == 1);
        List<HikariDataSource> many = parts(config(50), 2_000);
        assertThat(many).hasSize(16);
        assertThat(many.stream().mapToInt(HikariDataSource::getMaximumPoolSize)).contains(3, 4);
        assertThat(many.stream().mapToInt(HikariDataSource::getMaximumPoolSize).sum())
                .isEqualTo(50);
    }

    @Test
    void fewShardsOrOneConnectionMakeOnePool() {
        for (HikariDataSource pool : List.of((HikariDataSource) PoolParts.create(config(10), 127), (HikariDataSource)
                PoolParts.create(config(1), 2_000))) {
            assertThat(pool.getPoolName()).isEqualTo("pg1");
            pool.close();
        }
    }

    @Test
    void allSettingsAreThoseOfThePool() throws Exception {
        HikariConfig config = config(4);
        config.setMinimumIdle(2);
        List<HikariDataSource> parts = parts(config, 200);
        assertThat(parts.stream().map(HikariDataSource::getPoolName))
                .containsExactly("pg1-part-1", "pg1-part-2", "pg1-part-3", "pg1-part-4");
        assertThat(parts.stream().mapToInt(HikariDataSource::getMinimumIdle)).containsExactly(1, 1, 0, 0);
        assertThat(parts).allSatisfy(part -> {
            assertThat(part.getCredentialsProvider()).isSameAs(config.getCredentialsProvider());
            assertThat(part.getDataSourceProperties()).containsEntry("tcpKeepAlive", "true");
            assertThat(part.isClosed()).isTrue();
        });
    }

    @Test
    void hikariChecksTheSettings() {
        HikariConfig config = config(4);
        config.setJdbcUrl(null);
        assertThatThrownBy(() -> PoolParts.create(config, 200)).isInstanceOf(IllegalArgumentException.class);
    }
}
