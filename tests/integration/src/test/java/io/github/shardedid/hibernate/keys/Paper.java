package io.github.shardedid.hibernate.keys;

import jakarta.persistence.Entity;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import org.jspecify.annotations.Nullable;

/** Inherits its shard key from a mapped superclass, and has a table for each subclass. */
@Entity
@Inheritance(strategy = InheritanceType.JOINED)
class Paper extends OfTenant {
    @Entity(name = "Contract")
    static class Contract extends Paper {
        @Nullable
        String partner;
    }
}
