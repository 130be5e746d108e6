package io.github.shardedid.routing;

import java.util.List;

/**
 * The parameters and numbers of a statement that are ids of the shard of its rows: each row that it reads or changes has one of them.
 *
 * @param parameters the parameters' numbers, from 1
 * @param numbers the ids that the text itself contains; if there are neither, no row has one, as for {@code id in (null)}
 * @param isList whether there may be several: those of an IN, or the elements of an array
 * @param count how many parameters the statement has
 */
public record RequiredIds(List<Integer> parameters, List<Long> numbers, boolean isList, int count) {
    /** Copies the lists. */
    public RequiredIds {
        parameters = List.copyOf(parameters);
        numbers = List.copyOf(numbers);
    }
}
