package io.github.shardedid.hibernate.matrix;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** Lives where a plain id says; the column's default makes its id. Persons refer to it, it does not refer to them. */
@Entity
class Note {
    @Id
    @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT)
    @Nullable
    Long id;

    @ShardKey(references = Person.class)
    @Column(name = "writer")
    long writer;

    String words = "";

    protected Note() {}

    Note(long writer, String words) {
        this.writer = writer;
        this.words = words;
    }
}
