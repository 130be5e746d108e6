package io.github.shardedid.routing;

import java.util.List;
import java.util.Optional;

/**
 * The ids with which a statement compares columns that hold ids of the row's shard.
 *
 * @param count how many parameters the statement has
 * @param required those of all of its rows; empty if it may read or change rows with other ids, or is of a form that is not known
 * @param doubtful whether it may compare ids nevertheless, in a form that is not known, such as a WITH, or in a subselect
 */
public record ComparedIds(int count, Optional<Ids> required, boolean doubtful) {
    /** Of a statement that compares no such column. */
    public static final ComparedIds NONE = new ComparedIds(0, Optional.empty(), false);

    /**
     * The parameters and numbers of a statement that are ids of the shard of rows: each of these rows has one of them.
     *
     * @param column the column that is compared with them, as it is written, for messages
     * @param parameters the parameters' numbers, from 1
     * @param numbers the ids that the text itself contains; if there are neither, no row has one, as for {@code id in (null)}
     * @param isList whether there may be several: those of an IN, or the elements of an array
     * @param isComputed whether the database computes an id, as in {@code id = abs(?)}, so that it is not known
     */
    public record Ids(String column, List<Integer> parameters, List<Long> numbers, boolean isList, boolean isComputed) {
        /** Copies the lists. */
        public Ids {
            parameters = List.copyOf(parameters);
            numbers = List.copyOf(numbers);
        }
    }
}
