package io.github.shardedid.benchmarks.index;

import io.github.shardedid.benchmarks.servers.Database;
import java.sql.SQLException;
import java.util.Locale;

/** A kind of ids, each with a table of its own whose rows are alike but for the id. */
enum IdKind {
    OURS("ours", "bigint", "shard_0000.next_id('shard_0000.photo_id_seq')"),
    /** The same ids, of which a batch is reserved by one call before it is inserted. */
    RESERVED("ours, `next_ids`", "bigint", "shard_0000.next_id('shard_0000.remark_id_seq')"),
    BIGSERIAL("`bigserial`", "bigint", "nextval('rows_bigserial_id_seq')"),
    UUID_V4("UUIDv4", "uuid", "gen_random_uuid()"),
    UUID_V7("UUIDv7", "uuid", "uuidv7()");

    final String label;
    final String table;
    private final String type;
    private final String value;

    IdKind(String label, String type, String value) {
        this.label = label;
        this.table = "rows_" + name().toLowerCase(Locale.ROOT);
        this.type = type;
        this.value = value;
    }

    /** Inserts rows whose users have these numbers. */
    String insert(long first, long last) {
        if (this == RESERVED) {
            return "INSERT INTO " + table + " (id, user_id, caption) SELECT id, " + (first - 1)
                    + " + n, 'a caption' FROM"
                    + " shard_0000.next_ids('shard_0000.remark_id_seq', " + (last - first + 1)
                    + ") WITH ORDINALITY reserved (id, n)";
        }
        return "INSERT INTO " + table + " (user_id, caption) SELECT i, 'a caption' FROM generate_series(" + first + ", "
                + last + ") i";
    }

    /** Creates the empty table. Autovacuum would write WAL of its own among the measured. */
    void createTable(Database database) throws SQLException {
        if (this == BIGSERIAL) {
            database.execute("CREATE SEQUENCE " + table + "_id_seq");
        }
        database.execute("CREATE TABLE " + table + " (id " + type + " PRIMARY KEY DEFAULT " + value
                + ", user_id bigint NOT NULL, caption text) WITH (autovacuum_enabled = off)");
    }
}
