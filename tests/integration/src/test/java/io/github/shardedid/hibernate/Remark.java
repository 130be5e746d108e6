package io.github.shardedid.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** Lives with its picture, of which only the id is mapped; the column's default makes its id. */
@Entity
class Remark {
    @Id
    @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT)
    @Nullable
    Long id;

    @ShardKey(references = Picture.class)
    long pictureId;

    String words = "";

    protected Remark() {}

    Remark(long pictureId, String words) {
        this.pictureId = pictureId;
        this.words = words;
    }
}
