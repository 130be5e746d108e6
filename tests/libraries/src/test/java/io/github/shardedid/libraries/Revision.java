package io.github.shardedid.libraries;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.envers.RevisionEntity;
import org.hibernate.envers.RevisionNumber;
import org.hibernate.envers.RevisionTimestamp;
import org.jspecify.annotations.Nullable;

/** In the shard of the rows that its transaction has changed. */
@Entity
@RevisionEntity
class Revision {
    @Id
    @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT)
    @RevisionNumber
    @Nullable
    Long id;

    @RevisionTimestamp
    long recordedAt;
}
