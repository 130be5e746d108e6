package io.github.shardedid.boot.units;

import io.github.shardedid.hibernate.ShardKey;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;

/** Lives with its depot; its id names no shard. */
@Entity
public class Parcel {
    @Id
    private UUID id = UUID.randomUUID();

    @ShardKey
    private String depot = "";

    private String label = "";

    protected Parcel() {}

    public Parcel(String depot, String label) {
        this.depot = depot;
        this.label = label;
    }

    public UUID id() {
        return id;
    }

    public String depot() {
        return depot;
    }

    public String label() {
        return label;
    }
}
