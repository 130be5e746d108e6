package io.github.shardedid.routing.internal.connection;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.shardedid.topology.CommonSchemas;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;

/** What is known of the drivers' connections, for as long as these live. Safe for use by several threads. */
public final class Sessions {
    private final Cache<Connection, Session> sessions =
            Caffeine.newBuilder().weakKeys().executor(Runnable::run).build();

    private final CommonSchemas commonSchemas;

    public Sessions(CommonSchemas commonSchemas) {
        this.commonSchemas = commonSchemas;
    }

    /**
     * What is known of a connection.
     *
     * @param driver the driver's own connection below all proxies; if it is unknown, nothing is remembered
     */
    Session of(@Nullable BaseConnection driver) {
        return driver == null ? new Session(commonSchemas) : sessions.get(driver, unseen -> new Session(commonSchemas));
    }
}
