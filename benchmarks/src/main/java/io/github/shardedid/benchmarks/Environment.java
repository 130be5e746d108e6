package io.github.shardedid.benchmarks;

import io.github.shardedid.benchmarks.servers.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** What the figures were measured on. */
final class Environment {
    private Environment() {}

    static String describe(boolean durable) throws SQLException {
        try (Connection connection = Database.create(1).connect()) {
            return String.join(
                    " · ",
                    LocalDate.now(ZoneOffset.UTC).toString(),
                    "PostgreSQL " + Database.query(connection, "SHOW server_version")
                            + (Database.embedded() ? ", embedded on the same machine" : ""),
                    "`fsync` " + (durable ? "on" : Database.query(connection, "SHOW fsync")),
                    "JDK " + Runtime.version(),
                    "Hibernate " + org.hibernate.Version.getVersionString(),
                    "driver " + connection.getMetaData().getDriverVersion(),
                    Runtime.getRuntime().availableProcessors() + " cores, " + System.getProperty("os.arch"));
        }
    }
}
