package io.github.shardedid.hibernate.ending;

import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Version;

/** What the sharded and the plain entity have in common. */
@MappedSuperclass
abstract class Slip {
    @Version
    int version;

    String title = "";
    String word = "";

    abstract long id();
}
