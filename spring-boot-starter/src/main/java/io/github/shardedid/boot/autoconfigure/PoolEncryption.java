package io.github.shardedid.boot.autoconfigure;

import com.zaxxer.hikari.HikariConfig;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** Finds out whether connections are encrypted and verified, which a URL, the settings of a pool or a customizer of it decide. */
final class PoolEncryption {
    /** The driver's and libpq's parameter that says whether connections are encrypted and verified. */
    static final String MODE = "sslmode";

    /** The driver's parameter that stands for verified connections. */
    static final String SSL = "ssl";

    private static final String BEGIN = "jdbc:postgresql:";

    /** Drivers that wrap PostgreSQL's have a name of their own before it, such as {@code jdbc:aws-wrapper:postgresql:}. */
    private static final Pattern WRAPPED = Pattern.compile("^jdbc:[a-z][a-z0-9-]*:postgresql:");

    private static final List<String> REQUIRED = List.of("require", "verify-ca", "verify-full");

    private PoolEncryption() {}

    /**
     * Returns the URL of a wrapping driver as PostgreSQL's own driver would have it.
     *
     * @param url any URL
     * @return that of PostgreSQL's driver, or the same if it is of no driver that wraps it
     */
    static String ofDriver(String url) {
        return WRAPPED.matcher(url).replaceFirst(BEGIN);
    }

    /**
     * Returns the sslmode that a pool requires.
     *
     * @param pool a pool as {@link PoolSecrets} creates it, or any data source
     * @return {@code require}, {@code verify-ca} or {@code verify-full}; null if none is required, or known
     */
    static @Nullable String mode(@Nullable DataSource pool) {
        return pool instanceof HikariConfig config ? mode(config.getJdbcUrl(), config.getDataSourceProperties()) : null;
    }

    /**
     * Returns the sslmode that connections require.
     *
     * @param url whose parameters take precedence over the settings
     * @param settings of the driver
     * @return {@code require}, {@code verify-ca} or {@code verify-full}; null if none is required, or known
     */
    static @Nullable String mode(@Nullable String url, Properties settings) {
        PGSimpleDataSource parsed = new PGSimpleDataSource();
        try {
            parsed.setUrl(url == null ? BEGIN : ofDriver(url));
        } catch (IllegalArgumentException e) {
            return null; // Of another driver.
        }
        String mode = parsed.getSslMode() == null ? settings.getProperty(MODE) : parsed.getSslMode();
        boolean ssl = parsed.getSsl() || isTrue(settings.getProperty(SSL));
        String strict = (mode == null ? (ssl ? "verify-full" : "") : mode).toLowerCase(Locale.ROOT);
        return REQUIRED.contains(strict) ? strict : null;
    }

    private static boolean isTrue(@Nullable String ssl) {
        return ssl != null && (ssl.isEmpty() || Boolean.parseBoolean(ssl));
    }
}
