package io.github.shardedid.boot.app;

import io.github.shardedid.test.TestDatabase;
import java.util.List;

/** What an application is configured with to connect to a database, for as long as the slowest machine needs. */
public final class DatabaseProperties {
    private DatabaseProperties() {}

    public static List<String> of(String name, TestDatabase database) {
        String prefix = "sharded-id.databases." + name + ".";
        return List.of(
                prefix + "url=" + database.url(),
                prefix + "username=" + database.server().username(),
                prefix + "password=" + database.server().password(),
                prefix + "hikari.connection-timeout=180000");
    }
}
