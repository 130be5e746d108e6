package io.github.shardedid.example.user;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A user. The hash of the name chooses the shard. The same name in upper case is of another shard, so the name is claimed. */
@Entity
@Table(name = "users")
public class User {
    @Id
    @ShardedId
    private @Nullable Long id;

    @ShardKey
    @UniqueAcrossShards(ignoreCase = true)
    private String name;

    /** For Hibernate. */
    @SuppressWarnings("NullAway.Init")
    protected User() {}

    /**
     * Creates a user.
     *
     * @param name unique in the cluster, whether in upper or lower case
     */
    public User(String name) {
        this.name = name;
    }

    /**
     * The id, once the user is saved.
     *
     * @return a sharded id
     */
    public Long getId() {
        return Objects.requireNonNull(id, "the user is not saved yet");
    }

    /**
     * The name.
     *
     * @return 1 to 40 characters
     */
    public String getName() {
        return name;
    }
}
