package io.github.shardedid.routing;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Reads rows of all shards in order: as many for each photo as the first argument says, of the databases of the others. */
final class ScatterStreamMain {
    private ScatterStreamMain() {}

    public static void main(String[] arguments) throws SQLException {
        Cluster cluster = new Cluster(IdLayout.DEFAULT, CurrentShardMap.fixed(ManyShards.map(6)));
        Map<String, DataSource> databases = Map.of("pg1", database(arguments[1]), "pg2", database(arguments[2]));
        String sql =
                "select p.id, repeat('x', 100) || g.g from sharded_id_shard.photo p cross join generate_series(1, ?) g"
                        + " order by p.id";
        long rows = 0;
        long last = 0;
        long most = 0;
        long start = System.nanoTime();
        try (Connection connection = new RoutingDataSource(cluster, databases, RoutingOptions.DEFAULT).getConnection();
                ShardContext.Scope scope =
                        ShardContext.open(ShardSet.all().perShard().withFetchSize(500));
                PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, Integer.parseInt(arguments[0]));
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    long id = result.getLong(1);
                    if (id < last || result.getString(2).length() < 101) {
                        throw new IllegalStateException(id + " behind " + last);
                    }
                    last = id;
                    rows++;
                    if (rows % 100_000 == 0) {
                        Runtime runtime = Runtime.getRuntime();
                        most = Math.max(most, runtime.totalMemory() - runtime.freeMemory());
                    }
                }
            }
        }
        System.out.println(rows + " rows in order, " + most / 1_000_000 + " MB of heap at most, "
                + (System.nanoTime() - start) / 1_000_000 + " ms");
    }

    private static DataSource database(String url) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        return source;
    }
}
