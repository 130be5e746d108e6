package io.github.shardedid.boot.finders;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Lives with its author; the address of one exists once. */
@Entity
@UniqueAcrossShards(attributes = {"site", "slug"})
public class Essay {
    @Id
    @ShardedId
    private @Nullable Long id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    private @Nullable Person author;

    private String site = "";
    private String slug = "";

    protected Essay() {}

    public Essay(@Nullable Long id, Person author, String site, String slug) {
        this.id = id;
        this.author = author;
        this.site = site;
        this.slug = slug;
    }

    public long id() {
        return Objects.requireNonNull(id);
    }

    public @Nullable Person getAuthor() {
        return author;
    }

    @Override
    public String toString() {
        return id + " " + site + "/" + slug;
    }
}
