package io.github.shardedid.libraries;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hibernate.envers.Audited;
import org.jspecify.annotations.Nullable;

/** Audited with its collections. */
@Entity
@Audited
class Album {
    @Id
    @ShardedId
    @Nullable
    Long id;

    String title = "";

    @ElementCollection
    Set<String> tags = new HashSet<>();

    @OneToMany(mappedBy = "album", cascade = CascadeType.ALL, orphanRemoval = true)
    List<Picture> pictures = new ArrayList<>();

    protected Album() {}

    Album(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    Set<String> tags() {
        return tags;
    }

    List<Picture> pictures() {
        return pictures;
    }
}
