package io.github.shardedid.boot.autoconfigure;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import io.github.shardedid.pool.PartitionedDataSource;
import io.github.shardedid.pool.PoolPart;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** Creates HikariCP pools whose connections keep to some of the shards. */
final class PoolParts {
    /** Each part has a thread of its own, and of more parts the memory of a connection hardly shrinks. */
    private static final int MOST = 16;

    /** With fewer shards, each connection can keep all statements and tables. */
    private static final int FEW_SHARDS = 128;

    private PoolParts() {}

    /**
     * Chooses a number of parts.
     *
     * @param shards the number of logical shards of the cluster
     * @param connections how many the pool can have at most
     * @return from 1 to 16
     */
    static int suitable(int shards, int connections) {
        return shards < FEW_SHARDS ? 1 : Math.max(1, Math.min(MOST, connections));
    }

    /**
     * Creates a pool. Nothing is connected to.
     *
     * @param config of the whole pool: its connections are distributed over the parts; not changed
     * @param shards the number of logical shards of the cluster
     * @return a {@link PartitionedDataSource}, or a {@link HikariDataSource} if one part suffices
     * @throws IllegalArgumentException if HikariCP refuses the settings
     * @throws IllegalStateException likewise
     */
    static DataSource create(HikariConfig config, int shards) {
        HikariConfig valid = copy(config);
        hide(valid);
        HikariConfig whole = copy(valid);
        valid.validate();
        int parts = suitable(shards, valid.getMaximumPoolSize());
        return parts == 1 ? new HikariDataSource(whole) : partitioned(valid, parts);
    }

    private static PartitionedDataSource partitioned(HikariConfig config, int count) {
        List<PoolPart> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            HikariConfig part = copy(config);
            part.setPoolName(config.getPoolName() + "-part-" + (i + 1));
            part.setMaximumPoolSize(share(config.getMaximumPoolSize(), i, count));
            part.setMinimumIdle(share(config.getMinimumIdle(), i, count));
            parts.add(new PoolPart(new HikariDataSource(part), part.getMaximumPoolSize()));
        }
        return new PartitionedDataSource(config.getPoolName(), parts, Duration.ofMillis(config.getConnectionTimeout()));
    }

    private static int share(int all, int part, int parts) {
        return all / parts + (part < all % parts ? 1 : 0);
    }

    private static HikariConfig copy(HikariConfig config) {
        HikariConfig copy = new HikariConfig();
        config.copyStateTo(copy);
        return copy;
    }

    private static final Set<String> ARGUMENTS = Set.of("sslfactoryarg", "socketFactoryArg", "connectExecutorArg");

    private static final Pattern NAMED = Pattern.compile("password$|secret|token|credential");

    /** Takes the secrets out of the URL and the settings, and gives them to the driver where nobody logs them. */
    static void hide(HikariConfig config) {
        String url = config.getJdbcUrl();
        if (url == null || config.getDataSource() != null) {
            return;
        }
        Properties all = new Properties();
        all.putAll(config.getDataSourceProperties());
        String plain = withoutSecrets(url, all);
        boolean hidden = !plain.equals(url);
        for (String name : config.getDataSourceProperties().stringPropertyNames()) {
            if (isSecret(name)) {
                config.getDataSourceProperties().remove(name);
                hidden = true;
            }
        }
        if (hidden) {
            config.setJdbcUrl(plain);
            config.setDataSource(new DriverDataSource(
                    plain, config.getDriverClassName(), all, config.getUsername(), config.getPassword()));
        }
    }

    /** Parameters of the URL take precedence over the settings, as with the driver. */
    private static String withoutSecrets(String url, Properties all) {
        int question = url.indexOf('?');
        if (question < 0) {
            return url;
        }
        List<String> others = new ArrayList<>();
        for (String parameter : url.substring(question + 1).split("&", -1)) {
            int equals = parameter.indexOf('=');
            if (equals > 0 && isSecret(parameter.substring(0, equals))) {
                all.setProperty(
                        parameter.substring(0, equals),
                        URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8));
            } else {
                others.add(parameter);
            }
        }
        return url.substring(0, question) + (others.isEmpty() ? "" : "?" + String.join("&", others));
    }

    static boolean isSecret(String name) {
        return ARGUMENTS.contains(name)
                || NAMED.matcher(name.toLowerCase(Locale.ROOT)).find();
    }
}
