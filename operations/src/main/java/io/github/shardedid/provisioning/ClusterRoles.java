package io.github.shardedid.provisioning;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The roles to which provisioning grants privileges in every database: what they need, and no more. They must exist;
 * none is created. Immutable.
 *
 * @param application reads and writes the rows of all shards and generates ids, or null
 * @param reader reads the rows of all shards, or null
 * @param mover moves shards, or null; must be a member of the role that provisions
 */
public record ClusterRoles(@Nullable String application, @Nullable String reader, @Nullable String mover) {
    /** No role is granted anything. */
    public static final ClusterRoles NONE = new ClusterRoles(null, null, null);

    /**
     * Checks the names.
     *
     * @throws IllegalArgumentException if a name is empty
     */
    public ClusterRoles {
        for (@Nullable String name : new @Nullable String[] {application, reader, mover}) {
            if (name != null && name.isBlank()) {
                throw new IllegalArgumentException("The name of a role is empty.");
            }
        }
    }

    /**
     * Returns the names of the roles by their purpose.
     *
     * @return the keys are {@code application}, {@code reader} and {@code mover}, without those that are null
     */
    public Map<String, String> byPurpose() {
        Map<String, String> names = new TreeMap<>();
        names.put("application", application);
        names.put("reader", reader);
        names.put("mover", mover);
        names.values().removeIf(Objects::isNull);
        return names;
    }
}
