package io.github.shardedid.hibernate;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.OneToMany;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Has no shard key. */
@Entity
class Leaf {
    @Id
    @ShardedId
    @Nullable
    Long id;

    String text = "";

    @OneToMany(cascade = CascadeType.ALL)
    @JoinColumn(name = "leaf_id")
    Set<Sticker> stickers = new LinkedHashSet<>();

    protected Leaf() {}

    Leaf(String text) {
        this.text = text;
    }
}
