package io.github.shardedid.routing.internal.sql;

import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.sql.SQLFeatureNotSupportedException;

/**
 * What a text does with the session that it meets. Which one that is, a routed connection's caller cannot know: in autocommit each
 * statement may have another one, and after a transaction it belongs to others. So what would stay in it is refused.
 */
public enum SessionUse {
    /** Nothing that outlives the transaction. */
    NONE("", ""),

    /** It wants what an earlier statement has left in the session; within a transaction that is the same one. */
    REMEMBERS(
            "It reads what another statement has left in the session, but in autocommit each may have another session",
            "use RETURNING, or a transaction"),

    /** It changes what names mean, who asks, or how texts are read. */
    ROUTED(
            "Which schemas are searched, which role asks, and how texts are read belongs to the routing",
            "name the shard with ShardContext.run(shard, ...), and a table of no shard with its schema"),

    /** It changes the kind of the transaction, on one database only. */
    TRANSACTION(
            "A transaction spans databases here, and is the same kind on all of them",
            "use setTransactionIsolation and setReadOnly of the connection, or @Transactional(isolation = ..., readOnly ="
                    + " ...)"),

    /** It changes a setting for whoever has the session later. */
    SETTING(
            "It changes the session, which others get from the pool afterwards, and not those that later statements"
                    + " get",
            "use SET LOCAL, or set_config('<name>', ..., true), in a transaction; what is to hold for all sessions is an"
                    + " option of the pool's URL or of the role"),

    /** It locks or unlocks for the session. */
    LOCK(
            "It locks for the session, which others get from the pool afterwards, and which no later statement can be sure to"
                    + " meet",
            "use pg_advisory_xact_lock, or one of its kind, in a transaction"),

    /** It leaves something in the session, or wants what is there. */
    OBJECT(
            "What it makes or uses belongs to a session, which others get from the pool afterwards, and which no later"
                    + " statement can be sure to meet",
            "use what ends with the transaction, such as ON COMMIT DROP and cursors WITHOUT HOLD"),

    /** It calls something by a name that is only known after decoding. */
    UNREADABLE(
            "A name with Unicode escapes stands where that of a function or setting is expected, which could be any one",
            "write the name plainly");

    private final String reason;
    private final String wayOut;

    SessionUse(String reason, String wayOut) {
        this.reason = reason;
        this.wayOut = wayOut;
    }

    /** Refuses what is not for the transaction alone. */
    public void require(String sql, boolean autoCommit) throws SQLFeatureNotSupportedException {
        if (this != NONE && (autoCommit || this != REMEMBERS)) {
            throw new SQLFeatureNotSupportedException(
                    "Refused, and not sent, was " + SqlText.brief(sql) + ": " + reason + ". Instead " + wayOut
                            + ". For a session of your own, take connection.unwrap(PGConnection.class), which is kept"
                            + " until the transaction or the connection ends, and leaves it as it was.",
                    "0A000");
        }
    }
}
