package io.github.shardedid.boot.autoconfigure;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;

/** Creates HikariCP pools that do not log their secrets. */
final class PoolSecrets {
    private PoolSecrets() {}

    /**
     * Creates a pool. Nothing is connected to.
     *
     * @param config not changed
     * @throws IllegalArgumentException if HikariCP refuses the settings
     * @throws IllegalStateException likewise
     */
    static HikariDataSource create(HikariConfig config) {
        HikariConfig hidden = copy(config);
        hide(hidden);
        copy(hidden).validate();
        return new HikariDataSource(hidden);
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
