package io.github.shardedid.hibernate.keys;

import io.github.shardedid.hibernate.ShardKey;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import org.jspecify.annotations.Nullable;

/** Its shard key is within an embeddable. */
@Entity
class ByPlace extends Keyed {
    @Embedded
    @Nullable
    Place place;

    @Embeddable
    static class Place {
        @Nullable
        String street;

        @ShardKey
        @Nullable
        String district;

        protected Place() {}

        Place(@Nullable String street, @Nullable String district) {
            this.street = street;
            this.district = district;
        }
    }

    @Override
    void key(@Nullable Integer shard) {
        place = new Place("a street", shard == null ? null : KeyedCluster.text(shard));
    }
}
