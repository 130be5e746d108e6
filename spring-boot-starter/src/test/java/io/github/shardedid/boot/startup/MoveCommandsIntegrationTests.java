package io.github.shardedid.boot.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.test.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Shards are moved on the command line of the application, which exits and says how it went. */
@Tag("slow")
class MoveCommandsIntegrationTests {
    private final MovedShards cluster = new MovedShards();

    private CommandProcess.Ended run(String... arguments) throws Exception {
        return cluster.run(arguments);
    }

    private static List<String> states(TestDatabase database) {
        return database.query("SELECT shard || ' ' || state || ' ' || generation FROM sharded_id.shard ORDER BY shard");
    }

    @Test
    void aShardIsCheckedMovedShownAndItsOldCopyDropped() throws Exception {
        CommandProcess.Ended checked = run("--sharded-id.check-move=1:pg2");
        assertThat(checked.code()).as(checked.output()).isZero();
        assertThat(checked.output()).contains("Shard 1 → pg2: no obstacles").doesNotContain("Exception");
        CommandProcess.Ended obstructed = run("--sharded-id.check-move=0-2:pg2");
        assertThat(obstructed.code()).as(obstructed.output()).isEqualTo(1);
        assertThat(obstructed.output())
                .contains(
                        "Shard 0 → pg2: no obstacles", "Shard 1 → pg2: no obstacles", "obstacles to moving shards [2]");
        assertThat(states(cluster.pg1())).containsExactly("0 ACTIVE 1", "1 ACTIVE 1");

        CommandProcess.Ended moved = run("--sharded-id.move=1:pg2");
        assertThat(moved.code()).as(moved.output()).isZero();
        assertThat(moved.output())
                .contains("Shard 1 pg1 → pg2: DONE", "writes paused for", "sharded-id.move is done")
                .doesNotContain(CommandMain.BEAN);
        assertThat(states(cluster.pg1())).containsExactly("0 ACTIVE 1", "1 MOVED 1");
        assertThat(states(cluster.pg2())).containsExactly("1 ACTIVE 2", "2 ACTIVE 1", "3 ACTIVE 1");

        CommandProcess.Ended shown = run("--sharded-id.show-moves=true");
        assertThat(shown.code()).as(shown.output()).isZero();
        assertThat(shown.output()).contains("Shard 1 pg1 → pg2: DONE");

        CommandProcess.Ended some = run("--sharded-id.drop-old-copy=0-1:pg1");
        assertThat(some.code()).as(some.output()).isEqualTo(1);
        assertThat(some.output()).contains("pg1 has no old copy of shard 0", "Nothing was changed");

        CommandProcess.Ended dropped = run("--sharded-id.drop-old-copy=1:pg1");
        assertThat(dropped.code()).as(dropped.output()).isZero();
        assertThat(cluster.pg1().query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'shard\\_0001%'"))
                .isEmpty();

        assertThat(run("--sharded-id.show-moves=true").output()).contains("No moves");
    }

    @Test
    void aPlanIsShownAndRunOnlyIfAskedFor() throws Exception {
        CommandProcess.Ended shown = run("--sharded-id.drain=pg1");
        assertThat(shown.code()).as(shown.output()).isZero();
        assertThat(shown.output()).contains("Nothing was moved");
        assertThat(states(cluster.pg1())).containsExactly("0 ACTIVE 1", "1 ACTIVE 1");

        CommandProcess.Ended drained = run("--sharded-id.drain=pg1", "--sharded-id.run-plan=true");
        assertThat(drained.code()).as(drained.output()).isZero();
        assertThat(states(cluster.pg1())).containsExactly("0 MOVED 1", "1 MOVED 1");
    }

    @Test
    void aPlanIsRunOfflineToo() throws Exception {
        CommandProcess.Ended both =
                run("--sharded-id.drain=pg1", "--sharded-id.run-plan=true", "--sharded-id.run-plan-offline=true");
        assertThat(both.code()).isEqualTo(1);
        assertThat(both.output()).contains("sharded-id.run-plan-offline", "Remove one of them");

        CommandProcess.Ended drained = run("--sharded-id.drain=pg1", "--sharded-id.run-plan-offline=true");
        assertThat(drained.code()).as(drained.output()).isZero();
        assertThat(drained.output()).contains("Shard 1 pg1 → pg2: DONE (offline)");
        assertThat(states(cluster.pg1())).containsExactly("0 MOVED 1", "1 MOVED 1");
    }

    @Test
    void theCopiesThatARestoreHasLeftAreShownAndOneIsTaken() throws Exception {
        cluster.moveAndForget();

        CommandProcess.Ended shown = run("--sharded-id.recover=1");
        assertThat(shown.code()).as(shown.output()).isZero();
        assertThat(shown.output())
                .contains(
                        "Shard 1 in database pg1: MOVED in generation 1, copy in schema shard_0001_fenced_1",
                        "Shard 1 in database pg2: not known, no copy to take",
                        "Nothing was changed");
        assertThat(states(cluster.pg1())).containsExactly("0 ACTIVE 1", "1 MOVED 1");

        CommandProcess.Ended recovered = run("--sharded-id.recover=1:pg1");
        assertThat(recovered.code()).as(recovered.output()).isZero();
        assertThat(states(cluster.pg1())).containsExactly("0 ACTIVE 1", "1 ACTIVE 3");
    }

    @Test
    void whatCannotBeIsToldAsAFailureOfTheStart() throws Exception {
        CommandProcess.Ended nowhere = run("--sharded-id.move=1:pg9");
        assertThat(nowhere.code()).isEqualTo(1);
        assertThat(nowhere.output()).contains("APPLICATION FAILED TO START", "pg9");

        CommandProcess.Ended odd = run("--sharded-id.move=1");
        assertThat(odd.code()).isEqualTo(1);
        assertThat(odd.output()).contains("sharded-id.move cannot be \"1\"", "17:pg2");

        CommandProcess.Ended nothing = run("--sharded-id.resume-move=1");
        assertThat(nothing.code()).isEqualTo(1);
        assertThat(nothing.output())
                .contains("APPLICATION FAILED TO START", "hard 1")
                .doesNotContain(cluster.password());
    }
}
