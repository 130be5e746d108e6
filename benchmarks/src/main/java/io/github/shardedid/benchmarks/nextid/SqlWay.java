package io.github.shardedid.benchmarks.nextid;

import io.github.shardedid.benchmarks.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A way to make an id in the database, with a schema of its own for its sequences and tables. */
enum SqlWay {
    OURS("`next_id`", "shard_0005", "shard_0005.next_id('shard_0005.%s_id_seq')"),
    PUBLISHED("the published function", PublishedFunction.SCHEMA, PublishedFunction.SCHEMA + ".next_id()"),
    BIGSERIAL("`bigserial`", "plain5", "nextval('plain5.%s_id_seq')"),
    UUID4("`gen_random_uuid()`", "uuid4", "gen_random_uuid()"),
    UUID7("`uuidv7()`", "uuid7", "uuidv7()");

    private static final int UUID7_SINCE = 18;

    private final String label;
    private final String schema;
    private final String call;

    SqlWay(String label, String schema, String call) {
        this.label = label;
        this.schema = schema;
        this.call = call;
    }

    String label() {
        return label;
    }

    /** The expression that makes an id. What has no sequence takes no notice of its name. */
    String call(String sequence) {
        return call.formatted(sequence);
    }

    String table(String name) {
        return schema + "." + name;
    }

    String type() {
        return this == UUID4 || this == UUID7 ? "uuid" : "bigint";
    }

    /** Whether its ids may be relied on to be different; the published function's may not. */
    boolean isUnique() {
        return this != PUBLISHED;
    }

    /** Those that a server has. */
    static List<SqlWay> of(Connection connection) throws SQLException {
        List<SqlWay> ways = new ArrayList<>(List.of(values()));
        if (connection.getMetaData().getDatabaseMajorVersion() < UUID7_SINCE) {
            ways.remove(UUID7);
        }
        return ways;
    }

    /** Makes the schemas; that of the shard exists. */
    static void install(Database database) throws SQLException {
        PublishedFunction.install(database);
        database.execute("CREATE SCHEMA plain5; CREATE SCHEMA uuid4; CREATE SCHEMA uuid7");
    }

    /** Makes the sequences of the ways that have them. */
    static void createSequence(Database database, String name) throws SQLException {
        createSequenceOfOurs(database, name);
        database.execute("CREATE SEQUENCE " + BIGSERIAL.table(name) + "_id_seq");
    }

    /** Makes the sequence of ours alone. */
    static void createSequenceOfOurs(Database database, String name) throws SQLException {
        database.execute("CREATE SEQUENCE " + OURS.table(name) + "_id_seq MINVALUE 0");
    }

    /** Makes a table whose ids are the column's default; its index is not unique, as the published function repeats ids. */
    void createTable(Database database, String name) throws SQLException {
        database.execute("CREATE TABLE " + table(name) + " (id " + type() + " NOT NULL DEFAULT " + call(name)
                + ", user_id bigint NOT NULL, caption text); CREATE INDEX ON " + table(name) + " (id)");
    }
}
