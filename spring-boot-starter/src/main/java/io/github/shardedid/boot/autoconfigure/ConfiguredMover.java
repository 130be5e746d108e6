package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.boot.pool.PoolEncryption;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.ReplicationSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/** Options of moves. */
final class ConfiguredMover {
    /** {@code jdbc:postgresql://host:port/database?...}; of several hosts the first. */
    private static final Pattern URL =
            Pattern.compile("jdbc:postgresql://(\\[[^]]+]|[^:/?,]*)(?::(\\d+))?(?:,[^/?]*)?(?:/([^?]*))?(?:\\?.*)?");

    private static final int DEFAULT_PORT = 5432;

    private ConfiguredMover() {}

    static void check(ShardedIdProperties properties) {
        options(properties.moves(), Map.of(), Map.of(), ConnectionBeans.NONE, List.of());
    }

    /**
     * The servers connect to each other by the addresses that the application uses, unless replication addresses are configured.
     *
     * @param pools the mover's, by the names of the databases: they know how connections are encrypted
     */
    static MoveOptions options(
            ShardedIdProperties.Moves moves,
            Map<String, ShardedIdProperties.Database> databases,
            Map<String, ? extends DataSource> pools,
            ConnectionBeans beans,
            List<? extends MoveListener> listeners) {
        Function<String, @Nullable ReplicationSource> sources = name -> {
            ShardedIdProperties.Database database = databases.get(name);
            return database == null ? null : source(name, beans.connected(name, database), pools.get(name));
        };
        // Refuses what is missing, before a move begins.
        databases.forEach((name, database) -> {
            ReplicationSource unused = source(name, beans.connected(name, database), pools.get(name));
        });
        List<MoveListener> all = new ArrayList<>(List.of(new MoveLog()));
        all.addAll(listeners);
        return ConfiguredOptions.checked(
                "sharded-id.moves",
                moves,
                wanted -> new MoveOptions(
                        wanted.concurrent(),
                        wanted.lockTimeout(),
                        wanted.fenceTimeout(),
                        wanted.catchUpTimeout(),
                        sources,
                        new Listeners.Moves(all)));
    }

    /** Null if only the data source of a customizer knows the address. */
    private static @Nullable ReplicationSource source(
            String name, ShardedIdProperties.Database database, @Nullable DataSource pool) {
        ShardedIdProperties.Replication own = database.replication();
        if (!StringUtils.hasText(database.url()) && database.directUrl() == null && own.host() == null) {
            return null;
        }
        Matcher url = URL.matcher(PoolEncryption.ofDriver(String.valueOf(or(database.directUrl(), database.url()))));
        boolean known = url.matches();
        String host = or(own.host(), known ? url.group(1) : null);
        String user = or(own.username(), database.username());
        if (user == null) {
            throw new ShardedIdPropertiesException("sharded-id.databases." + name + ".replication.username is not set,"
                    + " nor is sharded-id.databases." + name + ".username. Set one of them: during a move, the other"
                    + " server connects to this one as that user.");
        }
        Integer port =
                own.port() != null || !known || url.group(2) == null ? own.port() : Integer.valueOf(url.group(2));
        String path = known && url.group(3) != null && !url.group(3).isEmpty() ? url.group(3) : user;
        String unbracketed = host == null ? "" : host.replace("[", "").replace("]", "");
        String password =
                own.username() == null || own.password() != null ? or(own.password(), database.password()) : null;
        String mode = PoolEncryption.mode(pool);
        try {
            ReplicationSource source = new ReplicationSource(
                    unbracketed.isEmpty() ? "localhost" : unbracketed,
                    port == null ? DEFAULT_PORT : port,
                    own.database() == null ? path : own.database(),
                    user,
                    password,
                    own.parameters());
            return mode == null ? source : source.withDefault(PoolEncryption.MODE, mode);
        } catch (IllegalArgumentException e) {
            throw new ShardedIdPropertiesException(
                    "sharded-id.databases." + name + ".replication is invalid. " + e.getMessage(), e);
        }
    }

    private static @Nullable String or(@Nullable String first, @Nullable String second) {
        return first == null ? second : first;
    }
}
