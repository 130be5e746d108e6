package io.github.shardedid.hibernate;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.ManyToOne;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** Is numbered for each leaf. Its id saves the leaf by cascade. */
@Entity
@IdClass(Pin.Key.class)
class Pin {
    record Key(Long leaf, int number) implements Serializable {}

    @Id
    @ManyToOne(cascade = CascadeType.PERSIST)
    @Nullable
    Leaf leaf;

    @Id
    int number;

    protected Pin() {}

    Pin(Leaf leaf, int number) {
        this.leaf = leaf;
        this.number = number;
    }
}
