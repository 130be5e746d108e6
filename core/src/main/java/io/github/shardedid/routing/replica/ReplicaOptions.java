package io.github.shardedid.routing.replica;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * The read replicas of databases, and how they are used. Immutable and safe for use by several threads.
 *
 * <p>A replica is a hot standby of its database, streaming from it. Several of one database are used in turn; within a
 * read-only transaction it is always the same one. A replica that gives no connection is passed over for a while, and the
 * next one or the database itself is read instead.
 *
 * @param byDatabase the replicas by the names of their databases, each usually with a pool; connections should be like the
 *     database's own, in autocommit. They are not closed here
 * @param forReadOnly whether read-only connections and transactions use replicas by default; if not, only the
 *     scopes of {@link ReadsFrom#REPLICA} do
 * @param retryAfter how long a replica that could not be used is passed over until one caller tries it again; more than 0
 */
public record ReplicaOptions(Map<String, List<DataSource>> byDatabase, boolean forReadOnly, Duration retryAfter) {
    /** No replicas; such as are added are used for all that is read-only, and retried after 10 seconds. */
    public static final ReplicaOptions NONE = new ReplicaOptions(Map.of(), true, Duration.ofSeconds(10));

    /**
     * Keeps its own copy of the map.
     *
     * @throws IllegalArgumentException if the time between retries is not more than 0
     */
    public ReplicaOptions {
        if (retryAfter.isNegative() || retryAfter.isZero()) {
            throw new IllegalArgumentException(
                    "A replica that is down is tried again after a time of more than 0, not " + retryAfter + ".");
        }
        byDatabase = copy(byDatabase);
    }

    private static Map<String, List<DataSource>> copy(Map<String, ? extends List<? extends DataSource>> replicas) {
        return replicas.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, each -> List.copyOf(each.getValue())));
    }

    /**
     * The same options with other replicas.
     *
     * @param others the replicas by the names of their databases
     * @return options that differ in this only
     */
    public ReplicaOptions withReplicas(Map<String, ? extends List<? extends DataSource>> others) {
        return new ReplicaOptions(copy(others), forReadOnly, retryAfter);
    }

    /**
     * The same options with another rule for what is read-only.
     *
     * @param other whether read-only connections and transactions use replicas by default
     * @return options that differ in this only
     */
    public ReplicaOptions withForReadOnly(boolean other) {
        return new ReplicaOptions(byDatabase, other, retryAfter);
    }

    /**
     * The same options with another time between retries.
     *
     * @param other how long a replica that could not be used is passed over; more than 0
     * @return options that differ in this only
     * @throws IllegalArgumentException if it is not more than 0
     */
    public ReplicaOptions withRetryAfter(Duration other) {
        return new ReplicaOptions(byDatabase, forReadOnly, other);
    }
}
