package io.github.shardedid.boot.differential;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.JoinTable;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import jakarta.persistence.OrderColumn;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lives with its owner, and has one collection of each kind. */
@Entity
@NamedQuery(name = "Album.hasNone", query = "select count(a) = 0 from Album a where a.owner.id = ?1")
public class Album implements Row {
    @Id
    @ShardedId
    @Nullable
    Long id;

    int number;

    @Version
    @Nullable
    Integer version;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @Nullable
    Member owner;

    @Nullable
    String title;

    @Nullable
    Integer rating;

    @OneToMany(mappedBy = "album", cascade = CascadeType.ALL, orphanRemoval = true)
    @OrderBy("id")
    List<Shot> shots = new ArrayList<>();

    @ElementCollection
    @CollectionTable(name = "album_tags", joinColumns = @JoinColumn(name = "album_id"))
    @Column(name = "tag")
    Set<String> tags = new HashSet<>();

    @ElementCollection
    @CollectionTable(name = "album_lines", joinColumns = @JoinColumn(name = "album_id"))
    @OrderColumn(name = "place")
    @Column(name = "line")
    List<String> lines = new ArrayList<>();

    @ManyToMany
    @JoinTable(
            name = "album_fans",
            joinColumns = @JoinColumn(name = "album_id"),
            inverseJoinColumns = @JoinColumn(name = "member_id"))
    Set<Member> fans = new HashSet<>();

    protected Album() {}

    Album(@Nullable Long id, int number, @Nullable Member owner, String title, int rating) {
        this.id = id;
        this.number = number;
        this.owner = owner;
        this.title = title;
        this.rating = rating;
    }

    @Override
    public @Nullable Long getId() {
        return id;
    }

    /** Spring Data asks a proxy for it. */
    public @Nullable Integer getVersion() {
        return version;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public void become(String value) {
        title = value;
    }

    @Override
    public @Nullable Long parent() {
        return Text.idOf(owner);
    }

    @Nullable
    Member owner() {
        return owner;
    }

    List<Shot> shots() {
        return shots;
    }

    Set<String> tags() {
        return tags;
    }

    List<String> lines() {
        return lines;
    }

    Set<Member> fans() {
        return fans;
    }

    @Override
    public String toString() {
        return "Album#" + number + " v" + version + " '" + title + "' " + rating + " of " + parent();
    }
}
