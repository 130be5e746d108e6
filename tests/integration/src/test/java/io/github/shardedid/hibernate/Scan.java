package io.github.shardedid.hibernate;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Lob;
import org.jspecify.annotations.Nullable;

/** Its image and words are large objects, which PostgreSQL's driver reads within transactions only. */
@Entity
class Scan {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    @Column(name = "user_id")
    long userId;

    @Lob
    byte[] image = {};

    @Lob
    String words = "";

    protected Scan() {}

    Scan(long userId, byte[] image, String words) {
        this.userId = userId;
        this.image = image;
        this.words = words;
    }
}
