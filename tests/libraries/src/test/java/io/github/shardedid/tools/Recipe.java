package io.github.shardedid.tools;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

@Entity
public class Recipe {
    @Id
    @ShardedId
    private @Nullable Long id;

    public String title = "";

    @OneToMany(mappedBy = "recipe")
    List<Ingredient> ingredients = new ArrayList<>();

    protected Recipe() {}

    Recipe(String title) {
        this.title = title;
    }

    public long id() {
        return Objects.requireNonNull(id);
    }
}
