package io.github.shardedid.hibernate.matrix;

import jakarta.persistence.Entity;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;

/** A hierarchy in a single table. */
@Entity
@Inheritance(strategy = InheritanceType.SINGLE_TABLE)
class Vehicle extends Described {
    /** A subclass. */
    @Entity(name = "Car")
    static class Car extends Vehicle {
        int doors;
    }
}
