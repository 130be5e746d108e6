package io.github.shardedid.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("containers")
class PostgresServerIntegrationTests {
    @Test
    void aStoppedServerRefusesConnectionsAndKeepsItsDataOverARestart() {
        try (PostgresServer server = PostgresServers.start()) {
            TestDatabase database = server.newDatabase();
            database.execute("CREATE TABLE t AS SELECT 42 AS answer");

            server.stop();
            assertThatThrownBy(database::connect).isInstanceOf(SQLException.class);

            server.start();
            assertThat(database.queryLong("SELECT answer FROM t")).isEqualTo(42);
        }
    }
}
