package io.github.shardedid.provisioning;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.ShardRanges;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Provisions in a process of its own: name, URL, user, password and ranges of each database. */
final class ProvisioningProcess {
    /** A system property: where the scripts are; several places are separated by commas. */
    static final String LOCATION = "provisioning.location";

    private ProvisioningProcess() {}

    public static void main(String[] arguments) {
        Map<String, ShardRanges> ranges = new LinkedHashMap<>();
        Map<String, DataSource> sources = new LinkedHashMap<>();
        int shards = 0;
        for (int i = 0; i < arguments.length; i += 5) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(arguments[i + 1]);
            source.setUser(arguments[i + 2]);
            source.setPassword(arguments[i + 3]);
            sources.put(arguments[i], source);
            ShardRanges range = ShardRanges.parse(arguments[i + 4]);
            ranges.put(arguments[i], range);
            shards += (int) range.shards().count();
        }
        new Provisioner(
                        new ClusterDefinition(IdLayout.DEFAULT, shards, ranges),
                        sources,
                        TestCluster.migrations(
                                System.getProperty(LOCATION, TestCluster.GOOD).split(",", -1)))
                .provision();
    }
}
