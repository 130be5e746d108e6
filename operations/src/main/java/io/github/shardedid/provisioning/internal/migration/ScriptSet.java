package io.github.shardedid.provisioning.internal.migration;

import java.util.List;

/**
 * The scripts of an application. Immutable.
 *
 * @param fingerprint of all of them; empty if there are none
 * @param versioned one text for each versioned script, with its checksum
 */
public record ScriptSet(String fingerprint, List<String> versioned) {
    static final ScriptSet NONE = new ScriptSet("", List.of());

    /** Copies the list. */
    public ScriptSet {
        versioned = List.copyOf(versioned);
    }
}
