package io.github.shardedid.hibernate;

import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lives with its author. */
@Entity
class Picture {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable
    Author author;

    @Nullable
    String caption;

    @ElementCollection
    @CollectionTable(name = "picture_tags", joinColumns = @JoinColumn(name = "picture_id"))
    @Column(name = "tag")
    Set<String> tags = new HashSet<>();

    protected Picture() {}

    Picture(@Nullable Author author, String caption) {
        this.author = author;
        this.caption = caption;
    }
}
