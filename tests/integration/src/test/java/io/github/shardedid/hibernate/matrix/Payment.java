package io.github.shardedid.hibernate.matrix;

import jakarta.persistence.Entity;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.Table;

/** A hierarchy of joined tables. */
@Entity
@Inheritance(strategy = InheritanceType.JOINED)
class Payment extends Described {
    /** A subclass. */
    @Entity(name = "ByCard")
    @Table(name = "card_payment")
    static class ByCard extends Payment {
        String card = "";
    }
}
