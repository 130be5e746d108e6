package io.github.shardedid;

import java.util.Map;
import java.util.ServiceLoader;

/**
 * What a message advises to set or to call, in the words of whoever configures this library. By default, these are its Java types; where it is
 * configured by properties and commands, {@link Words} name those.
 */
public enum WayOut {
    MIGRATIONS("the scripts of the Provisioner"),
    GLOBAL_MIGRATIONS("those of Provisioner.withGlobal"),
    GLOBAL_SCHEMA("the GlobalDatabase"),
    GLOBAL_DATABASE("RoutingOptions.withGlobal(GlobalDatabase.on(name))"),
    DATA_SOURCE("a RoutingDataSource"),
    /** Of the database that is the argument. */
    DATABASE("a data source for %s"),
    /** Of the database that is the argument. */
    DIRECT_DATABASE("the data source of %s to one"),
    MAX_ROWS("ScatterOptions.maxRows"),
    COMMON_SCHEMAS("ShardMigrations"),
    ROLES("the ClusterRoles"),
    /** Of the shard that is the argument. */
    RESUME_MOVE("ShardMover.resume(%s)"),
    /** Of the shard that is the argument. */
    ABORT_MOVE("ShardMover.abort(%s)"),
    /** Of the shards that are the argument. */
    COPIES("ShardMover.copies(%s)"),
    /** Of the shards and the database that are the arguments. */
    RECOVER("ShardMover.recover(%s, %s)");

    private static final Map<WayOut, String> WORDS = ServiceLoader.load(Words.class, WayOut.class.getClassLoader())
            .findFirst()
            .map(Words::words)
            .orElse(Map.of());

    private final String inJava;

    WayOut(String inJava) {
        this.inJava = inJava;
    }

    /** The words of whoever configures. Found by the service loader of this library's class loader; the first one counts. */
    @FunctionalInterface
    public interface Words {
        /** Returns formats for {@link String#format}, with the arguments that each constant names. One that is missing is named in Java. */
        Map<WayOut, String> words();
    }

    /** Returns the words for a message. */
    public String of(Object... arguments) {
        return WORDS.getOrDefault(this, inJava).formatted(arguments);
    }
}
