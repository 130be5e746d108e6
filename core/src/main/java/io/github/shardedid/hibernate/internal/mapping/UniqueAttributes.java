package io.github.shardedid.hibernate.internal.mapping;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Attributes of an entity whose combination is unique over all shards. Immutable.
 *
 * @param name the name of the claims, made of the table and its columns, such as {@code member(lower(email))}: it outlives the
 *     names of classes, and changes if values are compared differently
 * @param entityName the entity
 * @param paths the attributes in their declared order; {@code address.city} within an embeddable
 * @param ignoreCase whether texts are compared in lower case
 * @param keyColumn the column with the row's id in the table of the attributes, quoted if necessary
 */
public record UniqueAttributes(
        String name, String entityName, List<String> paths, boolean ignoreCase, String keyColumn) {
    /** Returns the table and its columns as {@code ColocatedKeys} writes a unique key: {@code member (email)}. */
    public String columns() {
        String plain = ignoreCase ? name.replaceAll("lower\\(([^)]*)\\)", "$1") : name;
        return plain.replaceFirst("\\(", " (").replace(",", ", ");
    }

    /**
     * Returns whether a key has one of some columns.
     *
     * @param name of the claims
     * @param columns each after its table and a dot
     */
    public static boolean hasAny(String name, Set<String> columns) {
        String[] parts = name.split("[(),]+");
        return Arrays.stream(parts).skip(1).anyMatch(column -> columns.contains(parts[0] + "." + column));
    }
}
