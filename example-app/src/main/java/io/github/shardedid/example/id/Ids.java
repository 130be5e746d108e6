package io.github.shardedid.example.id;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.Cluster;
import java.time.Instant;
import org.springframework.stereotype.Component;

/** Decodes ids. Thread-safe. */
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
     * The creation time of a row. It is part of the id, so there is no column for it.
     *
     * @param id an id
     * @return the instant, to the millisecond
     */
    public Instant createdAt(long id) {
        return layout.decode(id).instant();
    }

    /**
     * The shard of a row.
     *
     * @param id an id
     * @return the logical shard
     */
    public int shardOf(long id) {
        return layout.shardOf(id);
    }
}
