package io.github.shardedid.provisioning;

import io.github.shardedid.topology.ShardRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reports at which version each shard is, and which shards differ. Immutable.
 *
 * @param shards the shards that are served, in their order; those being fenced at this moment are left out
 * @param unreachable databases that did not answer, each with the reason
 */
public record DriftReport(List<ShardStatus> shards, Map<String, String> unreachable) {
    private static final int MOST_DIFFERENCES = 12;

    /** Copies both. */
    public DriftReport {
        shards = List.copyOf(shards);
        unreachable = Map.copyOf(unreachable);
    }

    /**
     * Returns whether all inspected shards are up to date and have the same structure.
     *
     * @return false if something is to be done
     */
    public boolean inOrder() {
        return shards.stream().allMatch(ShardStatus::inOrder);
    }

    /**
     * Returns the report as text.
     *
     * @return lines; the first counts the shards with the same structure, the others name those that differ, and how
     */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        long alike = shards.stream().filter(one -> one.differences().isEmpty()).count();
        lines.add(alike + " of " + shards.size() + " shards are alike" + (inOrder() ? " and up to date" : ""));
        group(one -> "version " + (one.version() == null ? "none" : one.version())
                        + (one.upToDate() ? ", up to date" : ", other scripts than here"))
                .forEach((version, some) -> lines.add(version + ": " + count(some)));
        group(one -> String.join(", ", one.failedScripts())).forEach((scripts, some) -> {
            if (!scripts.isEmpty()) {
                lines.add("failed, to be repaired: " + scripts + " in " + count(some));
            }
        });
        group(DriftReport::differences).forEach((differences, some) -> {
            if (!differences.isEmpty()) {
                lines.add(count(some) + ": " + differences);
            }
        });
        new TreeMap<>(unreachable)
                .forEach((name, reason) -> lines.add("database " + name + " did not answer: " + reason));
        return lines;
    }

    private static String differences(ShardStatus shard) {
        List<String> all = shard.differences();
        return all.stream().limit(MOST_DIFFERENCES).collect(Collectors.joining("; "))
                + (all.size() > MOST_DIFFERENCES ? "; and " + (all.size() - MOST_DIFFERENCES) + " more" : "");
    }

    private Map<String, List<ShardStatus>> group(Function<ShardStatus, String> by) {
        return shards.stream().collect(Collectors.groupingBy(by, TreeMap::new, Collectors.toList()));
    }

    private static String count(List<ShardStatus> some) {
        int[] numbers = some.stream().mapToInt(ShardStatus::shard).toArray();
        return some.size() == 1
                ? "shard " + numbers[0] + " (" + some.get(0).database() + ")"
                : some.size() + " shards, " + ShardRanges.of(numbers);
    }
}
