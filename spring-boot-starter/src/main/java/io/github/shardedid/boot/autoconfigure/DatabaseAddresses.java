package io.github.shardedid.boot.autoconfigure;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/** Where the databases are looked for, for people who look for a mistake: no password, and no parameter, which may hold one. */
final class DatabaseAddresses {
    private DatabaseAddresses() {}

    /** A line for each database that a message names; empty if it names none. */
    static String ofThoseNamedIn(String message, Environment environment) {
        Map<String, ShardedIdProperties.Database> databases = new TreeMap<>(Binder.get(environment)
                .bind("sharded-id", ShardedIdProperties.class)
                .<Map<String, ShardedIdProperties.Database>>map(ShardedIdProperties::databases)
                .orElse(Map.of()));
        databases.keySet().removeIf(name -> !Pattern.compile("(?<![\\w-])" + Pattern.quote(name) + "(?![\\w-])")
                .matcher(message)
                .find());
        return databases.entrySet().stream()
                .map(each -> System.lineSeparator() + "    " + each.getKey() + ": " + address(each.getValue()))
                .collect(Collectors.joining());
    }

    private static String address(ShardedIdProperties.Database database) {
        String url = database.url();
        if (url == null) {
            return "as a bean of type ShardedConnectionDetails says";
        }
        try {
            String place = DatabaseUrl.of("url", url).plain().replaceFirst("\\?.*", "");
            return place + (database.username() == null ? "" : ", as user " + database.username());
        } catch (ShardedIdPropertiesException e) {
            return "at a URL that cannot be read";
        }
    }
}
