package io.github.shardedid.routing.internal.sql.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class BuiltInOperatorsIntegrationTests {
    @Test
    void theNamesOfTheServersOwnOperators() {
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        try {
            assertThat(BuiltInOperators.NAMES)
                    .containsAll(database.query("SELECT DISTINCT oprname FROM pg_operator"
                            + " WHERE oprnamespace = 'pg_catalog'::regnamespace"));
        } finally {
            database.drop();
        }
    }
}
