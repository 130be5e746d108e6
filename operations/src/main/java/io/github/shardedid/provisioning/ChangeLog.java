package io.github.shardedid.provisioning;

import java.util.Map;

/**
 * A change log of Liquibase, and the filter of its change sets. Immutable.
 *
 * @param location the path of its file on the class path, for example {@code db/shard/changelog.yaml}; {@code classpath:} may precede
 *     it
 * @param contexts as Liquibase writes them, separated by commas; empty if all change sets run, whatever their context
 * @param labelFilter an expression of labels, as Liquibase writes it; empty if all change sets run, whatever their labels
 * @param parameters values of {@code ${name}} in the change log, by name; may be secrets, so {@code toString()} omits the values
 */
public record ChangeLog(String location, String contexts, String labelFilter, Map<String, String> parameters) {
    private static final String CLASS_PATH = "classpath:";

    /**
     * Copies the map.
     *
     * @throws IllegalArgumentException if the location is blank, or is none of the class path
     */
    public ChangeLog {
        String path = location.strip();
        path = path.startsWith(CLASS_PATH) ? path.substring(CLASS_PATH.length()) : path;
        path = path.startsWith("/") ? path.substring(1) : path;
        if (path.isEmpty() || path.contains(":")) {
            throw new IllegalArgumentException(
                    "'" + location + "' is not the location of a change log. Name a file of the"
                            + " class path, such as db/shard/changelog.yaml.");
        }
        location = path;
        parameters = Map.copyOf(parameters);
    }

    /**
     * Returns a change log whose change sets all run.
     *
     * @param location the path of its file on the class path
     * @return the change log
     * @throws IllegalArgumentException if the location is blank, or is none of the class path
     */
    public static ChangeLog at(String location) {
        return new ChangeLog(location, "", "", Map.of());
    }

    @Override
    public String toString() {
        return "ChangeLog[location=" + location + ", contexts=" + contexts + ", labelFilter=" + labelFilter
                + ", parameters=" + parameters.keySet() + "]";
    }
}
