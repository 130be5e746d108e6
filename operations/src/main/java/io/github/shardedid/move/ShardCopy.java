package io.github.shardedid.move;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The copy of a shard in one database, whether the database owns the shard or not. See {@link ShardMover#copies}.
 *
 * @param shard the logical shard
 * @param database the name of the database
 * @param state of the shard in this database, such as {@code MOVED}; null if the database does not know it
 * @param generation of the shard in this database, from 1 up; 0 if the database does not know it
 * @param schema the schema that {@link ShardMover#recover} would use; null if there is none
 * @param tables the tables of that schema, in the order of their names; empty if there is none
 */
public record ShardCopy(
        int shard,
        String database,
        @Nullable String state,
        long generation,
        @Nullable String schema,
        List<Table> tables) {
    /**
     * A table of a copy.
     *
     * @param name its name
     * @param rows how many rows it has
     * @param newest the largest value of the column that its sequence numbers, usually the newest id; null if it has no row
     *     or no such column
     */
    public record Table(String name, long rows, @Nullable Long newest) {
        @Override
        public String toString() {
            return name + " " + rows + " rows" + (newest == null ? "" : ", newest " + newest);
        }
    }

    /** A line for an operator. */
    @Override
    public String toString() {
        String known = state == null ? "not known" : state + " in generation " + generation;
        String rows = tables.stream().map(Table::toString).collect(Collectors.joining("; "));
        return "Shard " + shard + " in database " + database + ": " + known
                + (schema == null ? ", no copy to take" : ", copy in schema " + schema + ": " + rows);
    }
}
