package io.github.shardedid.move.internal.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.move.MoveUnfinishedException;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real replication between two servers, and changes that are compared while and after they arrive. */
class ContentComparisonIntegrationTests {
    private ReplicatedShard shard;
    private ContentComparison comparison;

    @BeforeEach
    void replicate() {
        shard = new ReplicatedShard();
        comparison = shard.comparison();
    }

    @AfterEach
    void drop() throws SQLException {
        if (shard != null) {
            comparison.close();
            shard.close();
        }
    }

    @Test
    @Tag("quick")
    void equalCopiesAreEqualFromTheFirstToTheLast() throws SQLException {
        comparison.full();
        assertThat(comparison.round()).isZero();
        shard.fence();
        assertThat(comparison.last(ReplicatedShard.FENCED)).isZero();
    }

    @Test
    @Tag("quick")
    void aRoundFindsALostRowThatIsTouched() throws SQLException {
        comparison.full();
        shard.tamper("DELETE FROM photo WHERE id = 17");
        shard.write("UPDATE photo SET liked = liked + 1 WHERE id IN (17, 18)");
        shard.arrived();

        assertThatThrownBy(() -> comparison.round())
                .isInstanceOf(MoveUnfinishedException.class)
                .hasMessageContaining("differ in table")
                .hasMessageContaining("1 of the rows")
                .hasMessageContaining("(17)")
                .hasMessageContaining("1 rows, the target 0");
    }

    @Test
    void aRoundFindsALargeValueThatTheUpdateDidNotSend() throws SQLException {
        comparison.full();
        shard.tamper("UPDATE photo SET caption = 'small' WHERE id = 6");
        shard.write("UPDATE photo SET liked = 1 WHERE id = 6");
        shard.arrived();

        assertThatThrownBy(() -> comparison.round())
                .isInstanceOf(MoveUnfinishedException.class)
                .hasMessageContaining("differ in table");
    }

    @Test
    void bothKeysOfAnUpdatedKeyAreLookedAt() throws SQLException {
        comparison.full();
        shard.write("UPDATE photo SET id = 4001 WHERE id = 1; UPDATE event SET kind = 3 - kind WHERE id = 1;"
                + " UPDATE by_index SET a = 101 WHERE a = 1; DELETE FROM \"Odd \"\"table\" WHERE part < 1");
        shard.arrived();
        shard.tamper("INSERT INTO photo (id) VALUES (1)");
        shard.fence();

        assertThatThrownBy(() -> comparison.last(ReplicatedShard.FENCED))
                .isInstanceOf(MoveUnfinishedException.class)
                .hasMessageContaining("differ in table")
                .hasMessageContaining("(id) = (1)");
    }

    @Test
    @Tag("quick")
    void theLastComparisonFindsWhatWasChangedJustBeforeTheFence() throws SQLException {
        comparison.full();
        shard.write("UPDATE photo SET caption = 'last' WHERE id = 2000; INSERT INTO event VALUES (900, 2, 'new')");
        shard.arrived();
        shard.tamper("UPDATE photo SET caption = 'tampered' WHERE id = 2000");
        shard.fence();

        assertThatThrownBy(() -> comparison.last(ReplicatedShard.FENCED))
                .isInstanceOf(MoveUnfinishedException.class)
                .hasMessageContaining("differ in table")
                .hasMessageContaining("shard_0007 differ in table photo")
                .hasMessageContaining("(2000)");
    }

    @Test
    void aTableWithoutAKeyIsReadAgainUnderTheFenceIfItWasWritten() throws SQLException {
        comparison.full();
        shard.write("INSERT INTO bag VALUES (77, 'text')");
        shard.arrived();
        comparison.round();
        shard.tamper("UPDATE bag SET number = 78 WHERE number = 77");
        shard.fence();

        assertThatThrownBy(() -> comparison.last(ReplicatedShard.FENCED))
                .isInstanceOf(MoveUnfinishedException.class)
                .hasMessageContaining("differ in table")
                .hasMessageContaining("table bag");
    }

    @Test
    void theLastComparisonLeavesAloneWhatHasNotBeenWritten() throws SQLException {
        comparison.full();
        shard.tamper("UPDATE bag SET number = 78; UPDATE photo SET caption = 'x' WHERE id = 3");
        shard.write("UPDATE photo SET liked = 0 WHERE id BETWEEN 10 AND 19");
        shard.fence();

        assertThat(comparison.last(ReplicatedShard.FENCED)).isEqualTo(10);
    }

    @Test
    void aTruncatedTableIsComparedAsAWhole() throws SQLException {
        comparison.full();
        shard.write("TRUNCATE photo; INSERT INTO photo (id) VALUES (1), (2)");
        shard.arrived();
        comparison.round();
        shard.write("TRUNCATE photo; INSERT INTO photo (id) VALUES (3), (4)");
        shard.arrived();
        shard.tamper("INSERT INTO photo (id) VALUES (99)");
        shard.fence();

        assertThatThrownBy(() -> comparison.last(ReplicatedShard.FENCED))
                .isInstanceOf(MoveUnfinishedException.class)
                .hasMessageContaining("differ in table")
                .hasMessageContaining("(99)");
    }

    @Test
    void moreChangesThanMemoryHoldsAreComparedInRanges() throws SQLException {
        try (ContentComparison small = shard.comparison(100, 50)) {
            small.full();
            shard.write("UPDATE photo SET liked = liked + 1; UPDATE event SET note = 'n' WHERE id < 20");
            shard.arrived();
            assertThat(small.round()).isEqualTo(19);
            shard.write("UPDATE photo SET liked = liked + 1");
            shard.arrived();
            shard.tamper("UPDATE photo SET liked = 0 WHERE id = 2500");
            assertThatThrownBy(small::round)
                    .isInstanceOf(MoveUnfinishedException.class)
                    .hasMessageContaining("differ in table")
                    .hasMessageContaining("(2500)");
        }
    }

    @Test
    void transactionsThatAreRolledBackAndOtherTablesAreNoChanges() throws SQLException {
        comparison.full();
        shard.write(
                "BEGIN; UPDATE photo SET liked = 0; ROLLBACK; CREATE TABLE other (id int); INSERT INTO other VALUES (1)");
        shard.arrived();

        assertThat(comparison.round()).isZero();
    }
}
