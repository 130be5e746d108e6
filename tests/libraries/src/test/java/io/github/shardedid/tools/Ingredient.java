package io.github.shardedid.tools;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** In the shard of its recipe. */
@Entity
public class Ingredient {
    @Id
    @ShardedId
    private @Nullable Long id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    public @Nullable Recipe recipe;

    public String name = "";

    protected Ingredient() {}

    Ingredient(Recipe recipe, String name) {
        this.recipe = recipe;
        this.name = name;
    }
}
