package io.github.shardedid.example.shards;

import io.github.shardedid.boot.autoconfigure.ShardedIdProperties;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/** The addresses of the databases: host, port and name, without other parts of the URLs, such as passwords. */
@Component
public class DatabaseAddresses {
    private final Map<String, String> addresses = new TreeMap<>();

    DatabaseAddresses(ShardedIdProperties properties) {
        properties
                .databases()
                .forEach((name, database) ->
                        addresses.put(name, withoutParameters(Objects.requireNonNullElse(database.url(), ""))));
    }

    /**
     * The addresses by database name.
     *
     * @return ordered by name, such as {@code localhost:5432/app}
     */
    public Map<String, String> byName() {
        return addresses;
    }

    private static String withoutParameters(String url) {
        String address = url.substring(url.indexOf("//") + 2);
        int parameters = address.indexOf('?');
        return parameters < 0 ? address : address.substring(0, parameters);
    }
}
