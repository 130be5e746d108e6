package io.github.shardedid.boot.rehearsal;

import java.util.List;

/**
 * A report of what shards would change for what has run so far.
 *
 * @param mappings what the mappings need, each with the way out
 * @param locations what would be refused
 */
public record RehearsalReport(List<String> mappings, List<Location> locations) {
    /**
     * A location with a call, statement, transaction or value that would be refused.
     *
     * @param where the method of a repository, the line of the code that executes a statement, the transaction's name, or the attribute
     * @param why the message, with the way out
     * @param times how often it happened; 0 for the method of a repository that was not called
     */
    public record Location(String where, String why, long times) {}

    /**
     * Returns how often something happened that would be refused. Statements of a call that would be refused are not counted again.
     *
     * @return the sum over all locations
     */
    public long refusals() {
        return locations.stream().mapToLong(Location::times).sum();
    }

    /** Returns one line for each thing to change, and in the end the number of locations. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        mappings.forEach(each -> text.append("  mapping: ").append(each).append('\n'));
        locations.forEach(
                each -> text.append("  %s (%d times): %s%n".formatted(each.where(), each.times(), each.why())));
        long code = locations.stream().map(Location::where).distinct().count();
        return text.append(
                        "%d mappings and %d locations in the code to change; %d calls, statements, transactions and values would be refused"
                                .formatted(mappings.size(), code, refusals()))
                .toString();
    }
}
