package io.github.shardedid.example.id;

import io.github.shardedid.topology.Cluster;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Takes ids apart. No database is asked: the id is enough. */
@RestController
class IdController {
    private final Ids ids;
    private final Cluster cluster;

    IdController(Ids ids, Cluster cluster) {
        this.ids = ids;
        this.cluster = cluster;
    }

    @GetMapping("/ids/{idOrText}")
    IdView inspect(@PathVariable String idOrText) {
        return IdView.of(ids.parse(idOrText), cluster);
    }
}
