package io.github.shardedid.routing;

import java.util.List;

/**
 * The parameters of a statement that are ids of the shard of its rows: each row that it reads or changes has one of them.
 *
 * @param parameters their numbers, from 1; never empty
 * @param isList whether there may be several: those of an IN, or the elements of an array
 * @param count how many parameters the statement has
 */
public record RequiredIds(List<Integer> parameters, boolean isList, int count) {
    /** Copies the list. */
    public RequiredIds {
        parameters = List.copyOf(parameters);
    }
}
