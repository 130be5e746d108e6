package io.github.shardedid.example.id;

import io.github.shardedid.spring.id.IdOf;
import io.github.shardedid.topology.Cluster;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Decodes ids, without database access. */
@RestController
class IdController {
    private final Cluster cluster;

    IdController(Cluster cluster) {
        this.cluster = cluster;
    }

    @GetMapping("/ids/{id}")
    IdView inspect(@PathVariable @IdOf long id) {
        return IdView.of(id, cluster);
    }
}
