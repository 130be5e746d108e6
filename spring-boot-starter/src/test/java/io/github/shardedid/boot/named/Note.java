package io.github.shardedid.boot.named;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** Its shard is the visitor's number modulo the shards. */
@Entity
@Table(name = "visit")
@NamedQuery(name = "Note.findByPageOrVisitor", query = "select n from Note n where n.page = ?1 and n.visitor = ?2")
public class Note {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    long visitor;

    String page = "";

    protected Note() {}

    public Note(long visitor, String page) {
        this.visitor = visitor;
        this.page = page;
    }
}
