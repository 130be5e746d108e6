package io.github.shardedid.hibernate.keys;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.id.IdLayout;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** Its shard key is only read, from the column that an association writes. */
@Entity
@Table(name = "by_reference")
class Mirrored extends Keyed {
    @ShardKey(references = ByNumber.class)
    @Column(name = "tenant", insertable = false, updatable = false)
    @Nullable
    Long tenantId;

    @ManyToOne
    @JoinColumn(name = "tenant")
    @Nullable
    ByNumber owner;

    @Override
    void key(@Nullable Integer shard) {
        tenantId = shard == null ? null : IdLayout.DEFAULT.encode(7, shard, 7);
    }
}
