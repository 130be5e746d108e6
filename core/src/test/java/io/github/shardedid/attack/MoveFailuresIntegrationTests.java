package io.github.shardedid.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveStep;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.move.ShardMover;
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
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * At each step of a move (by default: at the fence, the network alone), under load, a server crashes or the network between the
 * servers fails. The move goes on by itself, or when it is resumed. Calls may fail while a server is down; what was acknowledged is not lost, and nothing is doubled.
 */
@Tag("embedded-only")
class MoveFailuresIntegrationTests {
    private static final int SHARD = 1;
    private static final boolean LONGER = Boolean.getBoolean("sharded-id.test.longer");
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private enum Failure {
        SOURCE_CRASHES,
        TARGET_CRASHES,
        NETWORK_STALLS,
        NETWORK_RESETS
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
            attack.load(1, 1);
            for (MoveStep step : steps()) {
                for (Failure failure : LONGER ? Failure.values() : new Failure[] {Failure.NETWORK_STALLS}) {
                    move(attack, step, failure);
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

    private void move(MoveAttack attack, MoveStep at, Failure failure) {
        String source = attack.cluster().map().databaseOf(SHARD);
        String target = source.equals("pg1") ? "pg2" : "pg1";
        trouble.set(() -> fail(attack, failure, source, target));
        ShardMover mover = attack.cluster().mover(options(attack, at));
        String outcome = "went on by itself";
        try {
            mover.move(SHARD, target);
        } catch (ShardedIdException e) {
            outcome = "was resumed after " + e;
        }
        assertThat(trouble.get()).as("%s at %s", failure, at).isNull();
        cables.values().forEach(cable -> cable.become(Cable.Mood.PASSES));
        Awaitility.await()
                .timeout(PATIENCE)
                .ignoreExceptionsInstanceOf(ShardedIdException.class)
                .until(() -> isAt(attack, target) || mover.resume(SHARD).step() == MoveStep.DONE);
        System.err.println(failure + " at " + at + ": the move " + outcome);
        assertThat(attack.cluster().map().databaseOf(SHARD)).isEqualTo(target);
    }

    private static boolean isAt(MoveAttack attack, String target) {
        String unfinished = "SELECT count(*) FROM sharded_id.move WHERE step NOT IN ('DONE', 'ABORTED')";
        return attack.cluster().databases().values().stream().allMatch(one -> one.queryLong(unfinished) == 0)
                && attack.cluster().map().databaseOf(SHARD).equals(target);
    }

    private MoveOptions options(MoveAttack attack, MoveStep at) {
        Map<String, ReplicationSource> sources = new HashMap<>();
        attack.cluster().databases().forEach((name, database) -> {
            Cable cable = cables.get(name);
            if (cable != null) {
                sources.put(name, reach(database, cable.port()));
            }
        });
        return MoveOptions.DEFAULT
                .withReplicationSources(sources)
                .withCatchUpTimeout(Duration.ofSeconds(60))
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
