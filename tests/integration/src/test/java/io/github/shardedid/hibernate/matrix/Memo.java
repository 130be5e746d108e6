package io.github.shardedid.hibernate.matrix;

import jakarta.persistence.Entity;

/** Inherits its id from a mapped superclass. */
@Entity
class Memo extends Described {
    protected Memo() {}

    Memo(String description) {
        this.description = description;
    }
}
