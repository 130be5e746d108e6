package io.github.shardedid.boot.differential;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.List;
import org.hibernate.annotations.Fetch;
import org.hibernate.annotations.FetchMode;
import org.jspecify.annotations.Nullable;

/** A root, placed by its preset id. */
@Entity
public class Member implements Row {
    @Id
    @ShardedId
    @Nullable
    Long id;

    int number;

    @Version
    @Nullable
    Integer version;

    String name = "";

    @OneToMany(mappedBy = "owner")
    @Fetch(FetchMode.SUBSELECT)
    List<Album> albums = new ArrayList<>();

    protected Member() {}

    Member(@Nullable Long id, int number, String name) {
        this.id = id;
        this.number = number;
        this.name = name;
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
        name = value;
    }

    @Override
    public @Nullable Long parent() {
        return null;
    }

    List<Album> albums() {
        return albums;
    }

    @Override
    public String toString() {
        return "Member#" + number + " v" + version + " '" + name + "'";
    }
}
