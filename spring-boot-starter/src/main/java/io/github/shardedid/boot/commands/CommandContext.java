package io.github.shardedid.boot.commands;

import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.boot.autoconfigure.ShardedIdPropertiesException;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.ShardRanges;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * The value of a command, and what it works on.
 *
 * @param property the property of the command
 * @param value the value of the property
 * @param binder binds further properties
 * @param cluster the configuration
 * @param pools connection pools of all databases
 * @param migrations creates beans, and is called only by commands that need the migrations
 */
record CommandContext(
        String property,
        String value,
        Binder binder,
        ConfiguredCluster cluster,
        ShardedDatabases pools,
        Supplier<ShardMigrations> migrations) {
    ShardMover mover() {
        return cluster.mover(pools, migrations.get(), ConsoleProgress.ofTerminal());
    }

    Provisioner provisioner() {
        return cluster.provisioner(pools, migrations.get());
    }

    boolean isTrue(String other) {
        return binder.bind(other, Boolean.class).orElse(false);
    }

    /** A database that is not one of the cluster's, by its url, username and password below a property. It has no pool. */
    DataSource dataSource(String other) {
        String url = binder.bind(other + ".url", String.class)
                .orElseThrow(() -> new ShardedIdPropertiesException(other + ".url is not set. Set it to the JDBC URL"
                        + " of the database that the backup was restored to."));
        DriverManagerDataSource found = new DriverManagerDataSource();
        try {
            DriverManager.getDriver(url);
            found.setUrl(url);
        } catch (SQLException e) { // Without the cause: it may show the URL, and so perhaps a password.
            throw new ShardedIdPropertiesException(other
                    + ".url is not a JDBC URL of PostgreSQL. Set it to one, such as jdbc:postgresql://host/database.");
        }
        Properties settings = new Properties();
        settings.setProperty("ApplicationName", "sharded-id restore");
        found.setConnectionProperties(settings);
        binder.bind(other + ".username", String.class).ifBound(found::setUsername);
        binder.bind(other + ".password", String.class).ifBound(found::setPassword);
        return found;
    }

    /** The value as shards, such as {@code 17,20-29}. */
    ShardRanges shards() {
        return ShardsAndDatabase.shards(property, value);
    }

    /** The value as shards and a database, such as {@code 17,20-29:pg2}. */
    ShardsAndDatabase shardsAndDatabase() {
        return ShardsAndDatabase.parse(property, value);
    }
}
