package io.github.shardedid.boot.app;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** Has no shard key: the placement or an open scope decides. */
@Entity
@Table(name = "app_user")
public class User {
    @Id
    @ShardedId
    @Nullable
    Long id;

    String name = "";

    protected User() {}

    public User(String name) {
        this.name = name;
    }

    public long id() {
        return java.util.Objects.requireNonNull(id);
    }

    public @Nullable Long getId() {
        return id;
    }

    public void setId(Long id) {
        this.id = id;
    }

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }
}
