package io.github.shardedid.provisioning;

import java.util.List;

/**
 * Compares the scripts that have run in a schema with those of an application. Instances of two versions run side by side while an
 * application is deployed. Immutable.
 *
 * @param newer scripts that have run there, are not known here, and come after all that are; also repeatable ones with other contents than here
 * @param missing scripts of the application that have not run there
 */
public record ScriptComparison(List<String> newer, List<String> missing) {
    static final ScriptComparison SAME = new ScriptComparison(List.of(), List.of());

    /** Copies the lists. */
    public ScriptComparison {
        newer = List.copyOf(newer);
        missing = List.copyOf(missing);
    }
}
