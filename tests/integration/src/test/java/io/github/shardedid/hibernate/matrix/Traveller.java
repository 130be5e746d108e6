package io.github.shardedid.hibernate.matrix;

import jakarta.persistence.Entity;
import jakarta.persistence.OneToOne;
import org.jspecify.annotations.Nullable;

/** The inverse side of a one-to-one association, which is loaded with it. */
@Entity
class Traveller extends Described {
    @OneToOne(mappedBy = "holder")
    @Nullable
    Passport passport;
}
