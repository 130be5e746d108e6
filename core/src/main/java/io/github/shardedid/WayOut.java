package io.github.shardedid;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * What a message advises to set or to call, in the words of whoever configures this library. By default, these are its Java types. A library
 * that configures it by properties and commands names those in the resource {@value #WORDS}: by the name of each constant, with {@code %s} for
 * its arguments.
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
    START_WITH_UNBUILT_CLAIMS("ShardingSettings.BUILD_CLAIMS set to true"),
    BUILD_CLAIMS("UniqueAcrossShards.Claims.build"),
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

    /** The resource with the words of whoever configures, found by this library's class loader. Not there in plain Java. */
    public static final String WORDS = "/META-INF/sharded-id/words.properties";

    private static final Properties CONFIGURED = configured();

    private final String inJava;

    WayOut(String inJava) {
        this.inJava = inJava;
    }

    private static Properties configured() {
        Properties words = new Properties();
        try (InputStream found = WayOut.class.getResourceAsStream(WORDS)) {
            if (found != null) {
                words.load(found);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return words;
    }

    /** Returns the words for a message. */
    public String of(Object... arguments) {
        return CONFIGURED.getProperty(name(), inJava).formatted(arguments);
    }
}
