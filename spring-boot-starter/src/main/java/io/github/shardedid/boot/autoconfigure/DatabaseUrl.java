package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.ClusterConfigurationException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * A JDBC URL of the PostgreSQL driver, or of one that wraps it, without its user, password and other secrets, as the driver and the pool
 * log URLs. The driver would also log a URL that it cannot parse, so such a URL is refused before. {@code toString()} shows no value.
 *
 * @param plain the URL without secrets
 * @param secrets decoded values of the parameters that were removed, by name: {@code user}, {@code password}, {@code sslpassword} …
 */
record DatabaseUrl(String plain, Map<String, String> secrets) {
    private static final String HOST = "(?:[\\w.%-]*|\\[[0-9A-Fa-f:.%\\w]+])(?::\\d{1,5})?";
    private static final String NAME = "[^?&=;@:/\\s]*";
    private static final String PARAMETER = "(?:[A-Za-z][A-Za-z0-9._-]*(?:=[^%&]*+(?:%[0-9A-Fa-f]{2}[^%&]*+)*+)?)?";
    private static final Pattern VALID = Pattern.compile("jdbc:(?:[a-z][a-z0-9-]*:)?postgresql:(?://" + HOST + "(?:,"
            + HOST + ")*(?:/" + NAME + ")?|/?" + NAME + ")(?:\\?" + PARAMETER + "(?:&" + PARAMETER + ")*+)?");

    private static final Set<String> SECRETS = Set.of("sslfactoryarg", "socketFactoryArg", "connectExecutorArg");
    private static final Pattern SECRET = Pattern.compile("password$|secret|token|credential");
    private static final List<String> ENCRYPTED = List.of("require", "verify-ca", "verify-full");

    /** Parses a URL. Messages of failures name the property. */
    static DatabaseUrl of(String property, @Nullable String url) {
        if (!StringUtils.hasText(url)) {
            throw new ClusterConfigurationException(property
                    + " is not set, and no ShardedConnectionDetails knows the database. Set it to the database's URL,"
                    + " jdbc:postgresql://host/database.");
        }
        if (!isValid(url)) {
            throw new ClusterConfigurationException(property + " is no JDBC URL of PostgreSQL. Write"
                    + " jdbc:postgresql://host:port/database?name=value&name=value, with special characters percent-encoded."
                    + " Set user and password by the properties username and password.");
        }
        Map<String, String> secrets = new LinkedHashMap<>();
        String[] parts = url.split("\\?", 2);
        StringJoiner others = new StringJoiner("&", parts[0] + "?", "").setEmptyValue(parts[0]);
        for (String parameter : parts.length < 2 ? new String[0] : parts[1].split("&")) {
            String[] pair = parameter.split("=", 2);
            if (pair[0].equals("user") || isSecret(pair[0])) {
                secrets.put(pair[0], pair.length < 2 ? "" : URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
            } else if (!parameter.isEmpty()) {
                others.add(parameter);
            }
        }
        return new DatabaseUrl(others.toString(), secrets);
    }

    static boolean isValid(String url) {
        return VALID.matcher(url).matches();
    }

    /** Returns whether a parameter of the driver may be secret. */
    static boolean isSecret(String name) {
        return SECRETS.contains(name)
                || SECRET.matcher(name.toLowerCase(Locale.ROOT)).find();
    }

    /** Returns all parameters of a connection, as the driver has them: those of the URL take precedence over the settings. */
    static Properties parameters(@Nullable String url, Properties settings) {
        if (url == null || !isValid(url)) {
            return settings;
        }
        // Drivers that wrap PostgreSQL's have a name of their own before it, such as jdbc:aws-wrapper:postgresql:.
        String ofDriver = url.replaceFirst("^jdbc:[a-z0-9-]*:?postgresql:", "jdbc:postgresql:");
        Properties all = new Properties();
        try {
            for (DriverPropertyInfo each : DriverManager.getDriver(ofDriver).getPropertyInfo(ofDriver, settings)) {
                if (each.value != null) {
                    all.setProperty(each.name, each.value);
                }
            }
        } catch (SQLException e) {
            return settings; // The pool reports it.
        }
        return all;
    }

    /** Returns the sslmode that connections require; null if none is required. */
    static @Nullable String sslMode(Properties parameters) {
        String ssl = parameters.getProperty("ssl");
        String strict = parameters
                .getProperty(
                        "sslmode", ssl != null && (ssl.isEmpty() || Boolean.parseBoolean(ssl)) ? "verify-full" : "")
                .toLowerCase(Locale.ROOT);
        return ENCRYPTED.contains(strict) ? strict : null;
    }

    @Override
    public String toString() {
        return "DatabaseUrl";
    }
}
