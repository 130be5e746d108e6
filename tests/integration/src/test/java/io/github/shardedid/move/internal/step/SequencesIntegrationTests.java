package io.github.shardedid.move.internal.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class SequencesIntegrationTests {
    private static final String SCHEMA = "shard_0000";

    @Test
    void whatTheFenceHasLockedGivesNobodyANumberBetweenItsReadingAndItsEnd() throws SQLException {
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        database.execute("CREATE SCHEMA shard_0000; CREATE SEQUENCE shard_0000.a; CREATE SEQUENCE shard_0000.\"B c\"");
        try (Connection fence = database.connect();
                Connection other = database.connect()) {
            fence.setAutoCommit(false);
            Sql.execute(fence, Sequences.lock(fence, SCHEMA));
            assertThat(Sequences.read(fence, SCHEMA)).hasSize(2);
            Sql.execute(other, "SET lock_timeout = 1");
            for (String sequence : List.of("shard_0000.a", "shard_0000.\"B c\"")) {
                assertThatThrownBy(() -> Sql.text(other, "SELECT nextval('" + sequence + "')"))
                        .isInstanceOfSatisfying(SQLException.class, e -> assertThat(Sql.isLocked(e))
                                .isTrue());
            }
            fence.commit();
            assertThat(Sql.text(other, "SELECT nextval('shard_0000.a')")).isEqualTo("1");
        }
        database.drop();
    }
}
