package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.move.TestMoveOptions;
import io.github.shardedid.test.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * At each step of a move (by default: at the fence, the network alone), under load, a server crashes or the network between the
 * servers fails. The move goes on by itself, or when it is resumed, or it is taken back. Calls may fail while a server is down; what was
 * acknowledged is not lost, and nothing is doubled.
 */
@Tag("attack")
@Tag("embedded-only")
class MoveFailuresIntegrationTests {
    private static final int SHARD = 1;
    private static final boolean LONGER = Boolean.getBoolean("sharded-id.test.longer");
    private static final Failure[] FEW = {Failure.NETWORK_STALLS, Failure.NETWORK_DROPS};
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private enum Failure {
        SOURCE_CRASHES,
        TARGET_CRASHES,
        NETWORK_STALLS,
        NETWORK_RESETS,
        NETWORK_DROPS,
        NETWORK_FORGETS
    }

    /** What the operator does about a move that has stopped. */
    private enum Answer {
        RESUME,
        ABORT
    }

    private final ScheduledExecutorService healing = Executors.newSingleThreadScheduledExecutor();
    private final Map<String, Cable> cables = new HashMap<>();
    private final AtomicReference<Runnable> trouble = new AtomicReference<>();

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path evidence;

    @Test
    void aMoveOutlastsCrashesOfServersAndOfTheNetworkBetweenThem() throws SQLException, IOException {
        try (MoveAttack attack = new MoveAttack(evidence)) {
            attack.cluster()
                    .databases()
                    .forEach((name, database) ->
                            cables.put(name, new Cable(database.server().port())));
            hasten(attack);
            attack.load(1, 1);
            for (MoveStep step : steps()) {
                for (Failure failure : LONGER ? Failure.values() : FEW) {
                    move(attack, step, failure, Answer.RESUME);
                    if (LONGER) {
                        move(attack, step, failure, Answer.ABORT);
                    }
                }
            }
            MoveOracle oracle = attack.judge(Set.of(SHARD));
            System.err.println("Calls failed while servers were down, for example: "
                    + oracle.failures().stream().limit(2).toList());
            assertThat(oracle.faults()).isEmpty();
        } finally {
            healing.shutdownNow();
            for (Cable cable : cables.values()) {
                cable.close();
            }
        }
    }

    private static List<MoveStep> steps() {
        return Arrays.stream(MoveStep.values())
                .filter(step -> LONGER ? step.compareTo(MoveStep.CLEAN_UP) <= 0 : step == MoveStep.FENCE)
                .toList();
    }

    /** Silent connections are given up earlier than by default. */
    private static void hasten(MoveAttack attack) {
        attack.cluster().databases().values().forEach(database -> {
            database.execute("ALTER SYSTEM SET wal_receiver_timeout = '6s'");
            database.execute("ALTER SYSTEM SET wal_sender_timeout = '6s'");
            database.query("SELECT pg_reload_conf()");
        });
    }

    private void move(MoveAttack attack, MoveStep at, Failure failure, Answer answer) {
        String source = attack.cluster().map().databaseOf(SHARD);
        String target = source.equals("pg1") ? "pg2" : "pg1";
        trouble.set(() -> fail(attack, failure, source, target));
        ShardMover mover = attack.cluster().mover(options(attack, at));
        String outcome = "went on by itself";
        boolean stopped = false;
        try {
            mover.move(SHARD, target);
        } catch (ShardedIdException e) {
            stopped = true;
            outcome = "answered by " + answer + ", stopped by " + e;
        }
        assertThat(trouble.get()).as("%s at %s", failure, at).isNull();
        cables.values().forEach(cable -> cable.become(Cable.Mood.PASSES));
        boolean back = stopped && answer == Answer.ABORT && takenBack(attack, mover, source);
        if (!back) {
            Awaitility.await()
                    .timeout(PATIENCE)
                    .ignoreExceptionsInstanceOf(ShardedIdException.class)
                    .until(() -> isAt(attack, target) || mover.resume(SHARD).step() == MoveStep.DONE);
        }
        System.err.println(failure + " at " + at + ": the move " + outcome + (back ? ", taken back" : ""));
        assertThat(attack.cluster().map().databaseOf(SHARD)).isEqualTo(back ? source : target);
    }

    /** False if it was too late: the target owned the shard. */
    private static boolean takenBack(MoveAttack attack, ShardMover mover, String source) {
        AtomicBoolean late = new AtomicBoolean();
        Awaitility.await()
                .timeout(PATIENCE)
                .ignoreExceptionsInstanceOf(ShardedIdException.class)
                .until(() -> {
                    try {
                        return isAt(attack, source) || mover.abort(SHARD).step() == MoveStep.ABORTED;
                    } catch (MoveRefusedException e) {
                        late.set(String.valueOf(e.getMessage()).contains("the target owns the shard"));
                        return late.get();
                    }
                });
        return !late.get();
    }

    private static boolean isAt(MoveAttack attack, String database) {
        String unfinished = "SELECT count(*) FROM sharded_id.move WHERE step NOT IN ('DONE', 'ABORTED')";
        return attack.cluster().databases().values().stream().allMatch(one -> one.queryLong(unfinished) == 0)
                && attack.cluster().map().databaseOf(SHARD).equals(database);
    }

    private MoveOptions options(MoveAttack attack, MoveStep at) {
        Map<String, ReplicationSource> sources = new HashMap<>();
        attack.cluster().databases().forEach((name, database) -> {
            Cable cable = cables.get(name);
            if (cable != null) {
                sources.put(name, reach(database, cable.port()));
            }
        });
        return TestMoveOptions.catchUpTimeout(
                        MoveOptions.DEFAULT.withReplicationSources(sources), Duration.ofSeconds(60))
                .withListener(progress -> heard(progress, at));
    }

    private static ReplicationSource reach(TestDatabase database, int port) {
        return new ReplicationSource(
                "127.0.0.1",
                port,
                database.name(),
                database.server().username(),
                database.server().password());
    }

    private void heard(MoveProgress progress, MoveStep at) {
        if (progress.step() == at) {
            Runnable once = trouble.getAndSet(null);
            if (once != null) {
                once.run();
            }
        }
    }

    private void fail(MoveAttack attack, Failure failure, String source, String target) {
        switch (failure) {
            case SOURCE_CRASHES -> crash(attack.cluster().database(source));
            case TARGET_CRASHES -> crash(attack.cluster().database(target));
            case NETWORK_STALLS -> disturb(source, Cable.Mood.STALLS);
            case NETWORK_RESETS -> disturb(source, Cable.Mood.RESETS);
            case NETWORK_DROPS -> disturb(source, Cable.Mood.DROPS);
            case NETWORK_FORGETS -> disturb(source, Cable.Mood.FORGETS);
        }
    }

    private static void crash(TestDatabase database) {
        database.server().stop();
        database.server().start();
    }

    private void disturb(String source, Cable.Mood mood) {
        Cable cable = cables.get(source);
        if (cable != null) {
            cable.become(mood);
            var unused = healing.schedule(() -> cable.become(Cable.Mood.PASSES), 3, TimeUnit.SECONDS);
        }
    }
}
