package io.github.shardedid.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A root without a shard key: placed by scope or placement. */
@Entity
class Author {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @Version
    int version;

    String name = "";

    @OneToMany(mappedBy = "author")
    List<Picture> pictures = new ArrayList<>();

    protected Author() {}

    Author(String name) {
        this.name = name;
    }

    /** To be asked of a proxy, whose fields are never filled. */
    String name() {
        return name;
    }

    List<Picture> pictures() {
        return pictures;
    }
}
