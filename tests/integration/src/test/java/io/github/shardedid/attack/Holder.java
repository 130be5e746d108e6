package io.github.shardedid.attack;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Has an id of the JVM; only one thread of one process changes it. */
@Entity
class Holder {
    @Id
    @ShardedId(strategy = IdStrategy.JVM)
    @Nullable
    Long id;

    @Version
    int version;

    int changes;

    /** A token, as those of the other rows. */
    long number;

    @OneToMany(mappedBy = "holder")
    List<Booking> bookings = new ArrayList<>();

    protected Holder() {}

    Holder(long number) {
        this.number = number;
    }

    int changes() {
        return changes;
    }
}
