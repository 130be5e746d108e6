package io.github.shardedid.boot.differential;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** Lives with its album, of which it has the id only; the column's default makes its id. */
@Entity
public class Mark implements Row {
    @Id
    @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT)
    @Nullable
    Long id;

    int number;

    @ShardKey(references = Album.class)
    long albumId;

    @Nullable
    String words;

    protected Mark() {}

    Mark(@Nullable Long id, int number, long albumId, String words) {
        this.id = id;
        this.number = number;
        this.albumId = albumId;
        this.words = words;
    }

    @Override
    public @Nullable Long getId() {
        return id;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public void become(String value) {
        words = value;
    }

    @Override
    public Long parent() {
        return albumId;
    }

    @Override
    public String toString() {
        return "Mark#" + number + " '" + words + "' of " + albumId;
    }
}
