package io.github.shardedid.audited;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.envers.RevisionEntity;
import org.hibernate.envers.RevisionNumber;
import org.hibernate.envers.RevisionTimestamp;
import org.jspecify.annotations.Nullable;

/** Its numbers are reserved in blocks. */
@Entity
@RevisionEntity
public class BlockRevision {
    @Id
    @ShardedId
    @RevisionNumber
    private @Nullable Long id;

    @RevisionTimestamp
    private long recordedAt;

    public @Nullable Long id() {
        return id;
    }

    public long recordedAt() {
        return recordedAt;
    }
}
