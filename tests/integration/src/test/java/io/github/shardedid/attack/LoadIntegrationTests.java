package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.test.TestDatabase;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The load and the oracle themselves: nothing is found where nothing is broken, and what is broken on purpose is. */
@Tag("attack")
@Tag("embedded-only")
class LoadIntegrationTests {
    @TempDir
    private Path evidence;

    @Test
    void whatIsLostDoubledOrMisplacedIsFound() throws SQLException {
        try (MoveAttack attack = new MoveAttack(evidence)) {
            attack.load(1, 1);
            MoveOracle untouched = attack.judge(Set.of());
            assertThat(untouched.faults()).isEmpty();
            assertThat(untouched.failures()).isEmpty();

            TestDatabase database = attack.cluster().database("pg1");
            // All of them: the last one may have been written without having been acknowledged.
            database.execute("DELETE FROM shard_0000.receipt");
            database.execute("INSERT INTO shard_0001.slip SELECT * FROM shard_0001.slip LIMIT 1");
            database.execute("UPDATE shard_0001.holder SET version = version - 1"
                    + " WHERE id = (SELECT min(id) FROM shard_0001.holder WHERE version > 0)");
            MoveOracle broken = attack.judge(Set.of());

            assertThat(broken.faults())
                    .anyMatch(fault -> fault.startsWith("Acknowledged: row"))
                    .anyMatch(fault -> fault.contains("twice in slip"))
                    .anyMatch(fault -> fault.contains("the second time"))
                    .anyMatch(fault -> fault.contains("has version"))
                    .anyMatch(fault -> fault.contains("do not add up"));
        }
    }
}
