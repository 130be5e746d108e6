package io.github.shardedid.generator;

import java.util.EnumSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What leases.sql does with a shard's lease table, as a value: each method takes one state to the next. A rule that is left
 * out of {@code rules} is broken on purpose.
 *
 * @param nodes what {@code jvm_nodes} of the cluster says
 * @param server who answers
 * @param headNodes row -1: under which division leases were granted
 * @param headServer row -1: by which server
 * @param earliest row -1: its window_end
 * @param rows the leases, by node
 */
record LeaseTableModel(
        Set<LeaseRule> rules,
        int longest,
        int nodes,
        int server,
        int headNodes,
        int headServer,
        int earliest,
        SortedMap<Integer, Row> rows) {
    static final int NOBODY = -1;
    static final int LAST_TIMESTAMP = Integer.MAX_VALUE / 2;

    record Row(int holder, int start, int end) {}

    /** The state after a call, and its answer; node is -1 if it was refused. */
    record Answer(LeaseTableModel table, String refused, int node, int start, int end) {}

    static LeaseTableModel fresh(Set<LeaseRule> rules, int longest, int nodes) {
        return new LeaseTableModel(rules, longest, nodes, 0, nodes, 0, 0, new TreeMap<>());
    }

    static Set<LeaseRule> allRules() {
        return EnumSet.allOf(LeaseRule.class);
    }

    Answer lease(int holder, int wanted, int division, int present, int steps) {
        if (division != nodes && rules.contains(LeaseRule.ONE_DIVISION)) {
            return refuse("OTHER_DIVISION");
        }
        if (headNodes != nodes || headServer != server) {
            return new Answer(noteChange(present), "EARLIER_LEASES", -1, 0, 0);
        }
        if (present < earliest) {
            return refuse("EARLIER_LEASES");
        }
        int node = choose(holder, wanted, present, steps);
        if (node >= 0) {
            return extend(node, holder, present, steps);
        }
        for (int unused = 0; unused < division; unused++) {
            if (!rows.containsKey(unused)) {
                return grant(
                        unused, holder, Math.max(present, earliest), Math.min(present + steps, LAST_TIMESTAMP + 1));
            }
        }
        return refuse("NO_NODE_FREE");
    }

    private LeaseTableModel noteChange(int present) {
        int after = earliest;
        for (Row row : rows.values()) {
            after = Math.max(after, row.end);
        }
        if (headNodes != nodes && !rules.contains(LeaseRule.AFTER_OTHER_DIVISION)) {
            after = 0;
        }
        if (headServer != server && rules.contains(LeaseRule.AFTER_LOST_LEASES)) {
            after = Math.max(after, present + longest);
        } else if (headServer != server) {
            after = 0;
        }
        SortedMap<Integer, Row> kept = headNodes == nodes ? rows : new TreeMap<>();
        return new LeaseTableModel(rules, longest, nodes, server, nodes, server, after, kept);
    }

    private int choose(int holder, int wanted, int present, int steps) {
        int best = -1;
        for (var entry : rows.entrySet()) {
            Row row = entry.getValue();
            boolean free = (row.holder == NOBODY || row.end <= present)
                    && row.end < Math.min(present + steps, LAST_TIMESTAMP + 1);
            boolean own =
                    row.holder == holder || (!rules.contains(LeaseRule.RENEWAL_BY_HOLDER) && entry.getKey() == wanted);
            if ((own || free) && (best < 0 || rank(entry.getKey(), holder, wanted) < rank(best, holder, wanted))) {
                best = entry.getKey();
            }
        }
        return best;
    }

    private long rank(int node, int holder, int wanted) {
        Row row = rows.get(node);
        return (row.holder == holder ? 0 : 1L << 40) + (node == wanted ? 0 : 1L << 39) + row.end;
    }

    private Answer extend(int node, int holder, int present, int steps) {
        Row row = rows.get(node);
        boolean own = row.holder == holder || (!rules.contains(LeaseRule.RENEWAL_BY_HOLDER) && row.end > present);
        int start = own ? Math.max(row.start, earliest) : Math.max(row.end, Math.max(earliest, present));
        if (!own && !rules.contains(LeaseRule.WINDOW_AFTER_PREVIOUS)) {
            start = Math.max(earliest, present);
        }
        return grant(node, holder, start, Math.max(row.end, Math.min(present + steps, LAST_TIMESTAMP + 1)));
    }

    private Answer grant(int node, int holder, int start, int end) {
        return new Answer(with(node, new Row(holder, start, end)), "", node, start, end);
    }

    private Answer refuse(String why) {
        return new Answer(this, why, -1, 0, 0);
    }

    LeaseTableModel release(int holder, int node, int stamp) {
        LeaseTableModel table = this;
        for (var entry : rows.entrySet()) {
            Row row = entry.getValue();
            boolean own = rules.contains(LeaseRule.RELEASE_BY_HOLDER) ? row.holder == holder : entry.getKey() == node;
            if (own) {
                int end = Math.min(row.end, Math.max(row.start, stamp));
                table = table.with(entry.getKey(), new Row(NOBODY, row.start, end));
            }
        }
        return table;
    }

    LeaseTableModel dividedInto(int other) {
        return new LeaseTableModel(rules, longest, other, server, headNodes, headServer, earliest, rows);
    }

    LeaseTableModel on(int otherServer) {
        return new LeaseTableModel(rules, longest, nodes, otherServer, headNodes, headServer, earliest, rows);
    }

    private LeaseTableModel with(int node, Row row) {
        SortedMap<Integer, Row> changed = new TreeMap<>(rows);
        changed.put(node, row);
        return new LeaseTableModel(rules, longest, nodes, server, headNodes, headServer, earliest, changed);
    }
}
