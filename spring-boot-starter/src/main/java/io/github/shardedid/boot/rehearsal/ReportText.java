package io.github.shardedid.boot.rehearsal;

import io.github.shardedid.spring.data.RepositoryRoutes;
import io.github.shardedid.spring.data.RouteKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The report for people: each thing to change is one line, and each way out is said once. For one thread. */
final class ReportText {
    private static final String WAYS = "Ways to name a shard: ";
    private static final String INDENT = System.lineSeparator() + "    ";

    private final RehearsalReport report;
    private final List<String> lines = new ArrayList<>();
    private final Set<String> ways = new LinkedHashSet<>();
    private int changes;

    ReportText(RehearsalReport report) {
        this.report = report;
    }

    @Override
    public String toString() {
        report.mappings().forEach(each -> change("mapping: " + each));
        report.assumptions().forEach(each -> lines.add("assumed: " + each));
        if (!report.uniqueInShards().isEmpty()) {
            change("unique in each shard only: " + String.join("; ", report.uniqueInShards())
                    + ". Two shards may have rows with the same value. Where that must not be, keep the value in a global"
                    + " entity.");
        }
        methods();
        statements();
        report.transactions()
                .forEach(each -> change("transaction: " + each.name() + " wrote to several shards "
                        + times(each.count()) + ": " + each.rows()));
        report.withoutKey()
                .forEach(each -> change("row: the shard key " + each.attribute() + " was null in a new row "
                        + times(each.count())
                        + ". Set it before the row is saved (callbacks such as @PrePersist, and auditing, come later), or put"
                        + " @ShardKey on another attribute."));
        report.references()
                .forEach(each -> change("reference: " + each.attribute() + " referred to a row of another shard "
                        + times(each.count())
                        + ". Put @ShardKey on it if the row is to be stored with the other one, @ForeignShard if the other"
                        + " one belongs to its own shard, or @GlobalEntity on its class if that is a lookup table."));
        ways.forEach(each -> lines.add(WAYS + each));
        targets();
        String head = "Rehearsal of shards in " + report.context() + ": " + changes + " to change; " + report.refusals()
                + " calls, statements, transactions, rows and references would be refused";
        return head + lines.stream().map(line -> INDENT + line).collect(Collectors.joining());
    }

    private void change(String line) {
        changes++;
        lines.add(line);
    }

    /** The methods that need a change, and the calls of methods that no repository declares. */
    private void methods() {
        Map<String, RehearsalReport.Call> refused = new TreeMap<>();
        report.calls().stream()
                .filter(each -> each.refusal() != null)
                .forEach(each -> refused.merge(
                        each.method(),
                        each,
                        (one, other) -> new RehearsalReport.Call(
                                one.method(), one.kind(), one.count() + other.count(), one.refusal())));
        for (RepositoryRoutes.Route route : report.methods()) {
            if (route.kind() == RouteKind.NEEDS_SCOPE || route.kind() == RouteKind.REFUSED) {
                RehearsalReport.Call calls = refused.remove(route.method());
                change("method, " + (calls == null ? "no call refused" : times(calls.count()) + " refused") + ": "
                        + withoutWays(route.why()));
            }
        }
        refused.values()
                .forEach(each -> change("call, " + times(each.count()) + " refused: " + withoutWays(each.refusal())));
    }

    private String withoutWays(@Nullable String message) {
        String text = String.valueOf(message);
        int at = text.indexOf(WAYS);
        if (at < 0) {
            return text;
        }
        ways.add(text.substring(at + WAYS.length()));
        return text.substring(0, at).strip();
    }

    /** Under each reason the statements. */
    private void statements() {
        Map<String, Map<String, Long>> byReason = new LinkedHashMap<>();
        report.statements().stream().filter(each -> each.refusal() != null).forEach(each -> byReason.computeIfAbsent(
                        each.refusal(), reason -> new TreeMap<>())
                .merge(each.sql(), each.count(), Long::sum));
        byReason.forEach((reason, statements) -> {
            lines.add("statement: " + reason);
            statements.forEach((sql, count) -> change("    " + times(count) + ": " + sql));
        });
    }

    private void targets() {
        Map<String, Long> targets = report.statements().stream()
                .filter(each -> each.target() != null)
                .collect(Collectors.groupingBy(
                        each -> String.valueOf(each.target()),
                        TreeMap::new,
                        Collectors.summingLong(RehearsalReport.Statement::count)));
        lines.add("executed statements by target: " + targets);
        long unchecked = report.statements().stream()
                .filter(RehearsalReport.Statement::unchecked)
                .count();
        if (unchecked > 0) {
            lines.add("not checked: " + unchecked + " statements over several shards may be refused nevertheless: their"
                    + " functions could not be looked up in the catalogs of PostgreSQL");
        }
        if (report.leftOut() > 0) {
            lines.add("left out: " + report.leftOut() + " observations, as there were too many different ones");
        }
    }

    private static String times(long count) {
        return count + (count == 1 ? " time" : " times");
    }
}
