package io.github.shardedid.example.id;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.Cluster;
import java.time.Instant;
import org.springframework.stereotype.Component;

/** What an id says of its row. Safe for use by several threads. */
@Component
public class Ids {
    private final IdLayout layout;

    Ids(Cluster cluster) {
        this.layout = cluster.layout();
    }

    /**
     * The short text form, for links.
     *
     * @param id an id
     * @return 1 to 11 URL-safe characters
     */
    public String text(long id) {
        return layout.toText(id);
    }

    /**
     * When the row was made. There is no column for it: the id knows.
     *
     * @param id an id
     * @return the instant, to the millisecond
     */
    public Instant madeAt(long id) {
        return layout.decode(id).instant();
    }

    /**
     * Where the row lives.
     *
     * @param id an id
     * @return the logical shard
     */
    public int shardOf(long id) {
        return layout.shardOf(id);
    }
}
