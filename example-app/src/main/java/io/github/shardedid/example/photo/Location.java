package io.github.shardedid.example.photo;

import io.github.shardedid.hibernate.GlobalEntity;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** Where photos are taken. PostgreSQL copies the rows to all databases, so that each shard joins with them. */
@Entity
@GlobalEntity(replicated = true)
public class Location {
    @Id
    private int id;

    private String name;

    /** For Hibernate. */
    @SuppressWarnings("NullAway.Init")
    protected Location() {}

    /**
     * The id.
     *
     * @return a small number
     */
    public int getId() {
        return id;
    }

    /**
     * The name.
     *
     * @return 1 to 60 characters
     */
    public String getName() {
        return name;
    }
}
