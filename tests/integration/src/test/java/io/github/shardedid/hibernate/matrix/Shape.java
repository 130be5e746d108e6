package io.github.shardedid.hibernate.matrix;

import jakarta.persistence.Entity;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;

/** A hierarchy with a table for each class. */
@Entity
@Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
class Shape extends Described {
    /** A subclass. */
    @Entity(name = "Circle")
    static class Circle extends Shape {
        int radius;
    }
}
