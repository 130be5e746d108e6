package io.github.shardedid.modulith.purchases;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

@Entity
public class Purchase {
    @Id
    @ShardedId
    private @Nullable Long id;

    public String article = "";

    protected Purchase() {}

    Purchase(String article) {
        this.article = article;
    }

    public long id() {
        return Objects.requireNonNull(id);
    }
}
