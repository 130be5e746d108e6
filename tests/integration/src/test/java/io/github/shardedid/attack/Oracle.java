package io.github.shardedid.attack;

import io.github.shardedid.attack.AttackCounts.Crash;
import io.github.shardedid.attack.Evidence.Sighting;
import io.github.shardedid.test.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Judges an attack by what all processes have written down and what the tables hold. Per table it asserts:
 *
 * <ul>
 *   <li>Committed rows: no id is in two rows, whatever happened. Each acknowledged row is there once, by its own writer
 *       (unless {@code replicaBehind}: a promoted asynchronous standby may lack some).
 *   <li>Ids made in a JVM under a lease (sequence 512 and above), committed or not: none handed out twice, none in a row of
 *       anybody but the one to whom it was handed out, whatever happened, crashes and failovers included.
 *   <li>Ids made by a database and handed out, but not committed by the time: none twice either, with one exception. If the
 *       server crashed in between, its log may not have reached the disk, and with a clock that steps back the id comes
 *       again; at most one of the two becomes a row. Such are counted, not faults.
 *   <li>Order: what one thread gets from {@link Maker#JVM} only grows, and is larger than all that other threads of the
 *       process got before it asked. Where no server crashes, that holds for every {@link Maker}.
 * </ul>
 */
final class Oracle {
    private static final int MOST_SUSPECTS = 200_000;

    private final AttackedCluster cluster;
    private final Path directory;
    private final List<Crash> crashes;
    private final boolean replicaBehind;
    private final Verdict verdict = new Verdict();

    Oracle(AttackedCluster cluster, Path directory, List<Crash> crashes, boolean replicaBehind) {
        this.cluster = cluster;
        this.directory = directory;
        this.crashes = crashes;
        this.replicaBehind = replicaBehind;
    }

    Verdict judge() {
        for (int shard = 0; shard < Place.SHARDS; shard++) {
            TestDatabase home = cluster.home(shard);
            for (String table : Place.TABLES) {
                judge(new Place(shard, table), home);
            }
            verdict.publishedDuplicates(home.queryLong(
                    "SELECT count(*) - count(DISTINCT id) FROM " + new Place(shard, "published").qualified()));
        }
        ordered().forEach(maker -> complaints(maker).forEach(verdict::fault));
        return verdict;
    }

    private Set<Maker> ordered() {
        return crashes.isEmpty() ? Set.of(Maker.values()) : Set.of(Maker.JVM);
    }

    private List<String> complaints(Maker maker) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(String::valueOf)
                    .filter(file -> OrderedSource.complains(file, maker))
                    .map(file -> "disorder over threads, see " + file)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void judge(Place place, TestDatabase home) {
        Evidence evidence = Evidence.of(place, directory, home, ordered());
        verdict.count(evidence);
        evidence.disorders().forEach(disorder -> verdict.fault("disorder: " + disorder));
        Set<Long> suspects = new LinkedHashSet<>();
        handedTwice(place, evidence.handed(), suspects);
        rows(place, evidence, suspects);
        if (!replicaBehind) {
            acknowledged(place, evidence);
        }
        if (!suspects.isEmpty()) {
            evidence.sightings(suspects, place, directory, home).stream()
                    .collect(Collectors.groupingBy(Sighting::id))
                    .forEach((id, sightings) -> excuse(place, sightings));
        }
    }

    private void handedTwice(Place place, PackedIds handed, Set<Long> suspects) {
        for (int i = 1; i < handed.size(); i++) {
            if (PackedIds.sameId(handed.get(i - 1), handed.get(i))) {
                suspect(place, handed.get(i), suspects);
            }
        }
    }

    /** Only what a database made can be excused. */
    private void suspect(Place place, long packed, Set<Long> suspects) {
        long id = PackedIds.unpack(packed, place.shard());
        if (PackedIds.isOfJvm(packed) || suspects.size() >= MOST_SUSPECTS) {
            verdict.fault("twice in " + place + ": " + id);
        } else {
            suspects.add(id);
        }
    }

    private void rows(Place place, Evidence evidence, Set<Long> suspects) {
        PackedIds rows = evidence.rows();
        PackedIds handed = evidence.handed();
        for (int i = 0; i < rows.size(); i++) {
            long row = rows.get(i);
            long id = PackedIds.unpack(row, place.shard());
            if (i > 0 && PackedIds.sameId(rows.get(i - 1), row)) {
                verdict.fault("two rows of " + place + ": " + id);
            }
            int first = handed.indexOf(row);
            boolean noted = first < handed.size() && PackedIds.sameId(handed.get(first), row);
            if (noted && !handed.contains(row)) {
                suspect(place, row, suspects);
            } else if (!noted && PackedIds.isOfJvm(row)) {
                verdict.fault("a row of " + place + " whose id no JVM was given: " + id);
            }
        }
    }

    private void acknowledged(Place place, Evidence evidence) {
        PackedIds committed = evidence.committed();
        for (int i = 0; i < committed.size(); i++) {
            if (!evidence.rows().contains(committed.get(i))) {
                verdict.fault("lost from " + place + ": " + PackedIds.unpack(committed.get(i), place.shard()));
            }
        }
    }

    private void excuse(Place place, List<Sighting> sightings) {
        List<Sighting> inTime = sightings.stream()
                .sorted(Comparator.comparingLong(Sighting::millis))
                .toList();
        boolean excused = true;
        for (int i = 1; i < inTime.size() && excused; i++) {
            long asked = Math.min(inTime.get(i - 1).asked(), inTime.get(i).asked());
            excused = crashBetween(place, asked, inTime.get(i).millis());
        }
        if (excused) {
            verdict.returnedAgain();
        } else {
            verdict.fault("twice in " + place + ": " + inTime);
        }
    }

    private boolean crashBetween(Place place, long earlier, long later) {
        int home = cluster.indexOfHome(place.shard());
        return crashes.stream().anyMatch(crash -> crash.database() == home && crash.between(earlier, later));
    }
}
