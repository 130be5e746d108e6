package io.github.shardedid.hibernate.keys;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** Its associations, the one that places it among them, are within an embeddable. */
@Entity
class Delivery {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @Embedded
    Ends ends = new Ends();

    @Embeddable
    static class Ends {
        @ShardKey
        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        ByNumber recipient;

        @ManyToOne(fetch = FetchType.LAZY)
        @Nullable
        ByNumber sender;
    }
}
