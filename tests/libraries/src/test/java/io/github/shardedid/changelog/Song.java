package io.github.shardedid.changelog;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

@Entity
public class Song {
    @Id
    @ShardedId
    private @Nullable Long id;

    String title = "";
    String artist = "";

    protected Song() {}

    Song(String title, String artist) {
        this.title = title;
        this.artist = artist;
    }

    long id() {
        return Objects.requireNonNull(id);
    }
}
