package io.github.shardedid.example.operations;

import io.github.shardedid.example.operations.ClusterView.Database;
import io.github.shardedid.example.operations.ClusterView.Shard;
import io.github.shardedid.example.operations.DatabaseStatistics.Counted;
import io.github.shardedid.example.operations.ShardFigures.Figures;
import io.github.shardedid.example.operations.ShardFigures.Sample;
import io.github.shardedid.example.servers.EmbeddedServers;
import io.github.shardedid.example.shards.DatabaseAddresses;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Shows databases and shards, and stops and starts servers. Not secured, because this is an example. */
@RestController
@RequestMapping("/operations")
class ClusterController {
    private static final Figures NONE = new Figures(new Counted(0, 0, 0), 0);

    private final Cluster cluster;
    private final DatabaseAddresses addresses;
    private final ShardFigures figures;
    private final @Nullable EmbeddedServers servers;

    ClusterController(
            Cluster cluster,
            DatabaseAddresses addresses,
            ShardFigures figures,
            ObjectProvider<EmbeddedServers> servers) {
        this.cluster = cluster;
        this.addresses = addresses;
        this.figures = figures;
        this.servers = servers.getIfAvailable();
    }

    @GetMapping("/cluster")
    ClusterView cluster() {
        ShardMap map = cluster.map().get();
        int[] unowned = map.unownedShards();
        Map<String, Sample> samples = figures.get();
        List<Shard> shards = new ArrayList<>();
        for (int shard = 0; shard < map.shardCount(); shard++) {
            String home = Arrays.binarySearch(unowned, shard) >= 0 ? null : map.databaseOf(shard);
            Figures own = home == null ? NONE : figures(samples.get(home), shard);
            shards.add(new Shard(
                    shard,
                    home,
                    map.generationOf(shard),
                    map.isFenced(shard),
                    own.counted().bytes(),
                    own.counted().rows(),
                    own.writesPerSecond()));
        }
        List<Database> databases = new ArrayList<>();
        addresses.byName().forEach((name, address) -> databases.add(database(name, address, samples, shards)));
        return new ClusterView(cluster.map().version(), databases, shards);
    }

    private static Figures figures(@Nullable Sample sample, int shard) {
        return sample == null || sample.shards() == null
                ? NONE
                : sample.shards().getOrDefault(shard, NONE);
    }

    private Database database(String name, String address, Map<String, Sample> samples, List<Shard> shards) {
        List<Shard> own =
                shards.stream().filter(shard -> name.equals(shard.database())).toList();
        boolean reachable = samples.containsKey(name)
                && Objects.requireNonNull(samples.get(name)).shards() != null;
        boolean stoppable = servers != null && servers.has(name);
        return new Database(
                name,
                address,
                reachable,
                stoppable,
                servers == null || !stoppable || servers.running(name),
                own.size(),
                own.stream().mapToLong(Shard::bytes).sum(),
                own.stream().mapToDouble(Shard::writesPerSecond).sum());
    }

    /** Stops or starts the server of a database. */
    @PutMapping("/databases/{name}")
    ClusterView run(@PathVariable String name, @RequestBody Running wanted) {
        if (servers == null || !servers.has(name)) {
            throw new ResponseStatusException(
                    HttpStatus.NOT_FOUND,
                    "The server of database \"" + name
                            + "\" was not started by this application, so it cannot be stopped or started here.");
        }
        if (wanted.running()) {
            servers.start(name);
        } else {
            servers.stop(name);
        }
        return cluster();
    }

    /** The request to stop or start a server. */
    record Running(boolean running) {}
}
