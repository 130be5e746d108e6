package io.github.shardedid.routing.internal.sql.names;

/**
 * What of a text depends on the search path.
 *
 * @param relations whether it may name a table without a schema
 * @param others whether it may name a function, a type or the like without a schema
 * @param unknownCode whether it calls functions that may do anything, such as change the path
 */
public record PathNeed(boolean relations, boolean others, boolean unknownCode) {
    public boolean any() {
        return relations || others;
    }
}
