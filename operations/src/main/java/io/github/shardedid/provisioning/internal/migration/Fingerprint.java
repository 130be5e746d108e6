package io.github.shardedid.provisioning.internal.migration;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;

/** Hashes of migrations: of the scripts of an application, and of those that have run in a schema. */
final class Fingerprint {
    private static final Set<MigrationState> UNKNOWN_HERE =
            EnumSet.of(MigrationState.FUTURE_SUCCESS, MigrationState.MISSING_SUCCESS);

    private Fingerprint() {}

    /** Of these migrations, in any order: 64 hexadecimal digits. */
    static ScriptSet scriptSet(MigrationInfo[] migrations) {
        return ScriptSet.of(
                Arrays.stream(migrations).map(Fingerprint::line),
                Arrays.stream(migrations)
                        .filter(one -> one.getVersion() != null)
                        .map(Fingerprint::line));
    }

    /**
     * Of a schema in which all scripts of that fingerprint have run: the same, unless others have run there, too. Two schemas of one
     * fingerprint have run the same scripts, so that inspecting one is enough.
     */
    static String standing(String fingerprint, MigrationInfo[] migrations) {
        String others = Arrays.stream(migrations)
                .filter(one -> UNKNOWN_HERE.contains(one.getState()))
                .map(Fingerprint::line)
                .sorted()
                .collect(Collectors.joining("\n"));
        return others.isEmpty() ? fingerprint : ScriptSet.hash(Stream.of(fingerprint, others));
    }

    private static String line(MigrationInfo one) {
        return one.getVersion() + "|" + one.getDescription() + "|" + one.getScript() + "|" + one.getChecksum();
    }
}
