package io.github.shardedid.example.shards;

import io.github.shardedid.topology.Cluster;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Returns the shard map. */
@RestController
public class ShardsController {
    private final Cluster cluster;
    private final DatabaseAddresses addresses;

    ShardsController(Cluster cluster, DatabaseAddresses addresses) {
        this.cluster = cluster;
        this.addresses = addresses;
    }

    /**
     * The current shard map.
     *
     * @return databases and their shards
     */
    @GetMapping("/shards")
    public ShardsView shards() {
        return ShardsView.of(cluster, addresses.byName());
    }
}
