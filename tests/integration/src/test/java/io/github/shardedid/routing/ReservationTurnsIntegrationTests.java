package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.generator.DatabaseIdSource;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.internal.RoutingControl;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Round trips of a transaction that takes an id of the database and inserts a row, which nothing but the commit follows. */
@Tag("quick")
class ReservationTurnsIntegrationTests {
    private static final String INSERT = "INSERT INTO Sharded_Id_Shard.photo (id, caption) VALUES (?, 'new')";
    private final TwoDatabases databases = new TwoDatabases();

    @AfterEach
    void nothingLeaks() {
        assertThat(databases.taken()).isZero();
        databases.close();
    }

    @Test
    void theIdIsATurnAndTheRowIsOneOverTheSameConnectionWithoutACommit() throws SQLException {
        databases.pg1.execute("CREATE SEQUENCE shard_0000.photo_id_seq START 7;"
                + " CREATE FUNCTION shard_0000.next_id(regclass) RETURNS bigint LANGUAGE sql AS 'SELECT nextval($1)'");
        databases.warmUp();

        insertOne();

        assertThat(databases.tap1.frontendMessages()).noneMatch("BEGIN"::equals).noneMatch("COMMIT"::equals);
        assertThat(databases.tap1.turns())
                .as("%s", databases.tap1.frontendMessages())
                .isEqualTo(2);
        assertThat(databases.tap2.turns()).isZero();
    }

    private void insertOne() throws SQLException {
        try (Connection connection = databases.transaction()) {
            long id = new DatabaseIdSource(IdLayout.DEFAULT).next(0, "photo_id_seq", connection);
            assertThat(databases.taken()).isEqualTo(1);
            connection.unwrap(RoutingControl.class).announceLastWrite(1, INSERT);
            try (ShardContext.Scope scope = ShardContext.open(0);
                    PreparedStatement insert = connection.prepareStatement(INSERT)) {
                insert.setLong(1, id);
                assertThat(insert.executeUpdate()).isEqualTo(1);
            }
            connection.commit();
        }
    }
}
