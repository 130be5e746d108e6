package io.github.shardedid.boot.reference;

import io.github.shardedid.hibernate.GlobalEntity;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** Its names are quoted, and its ids an identity. */
@Entity
@GlobalEntity(replicated = true)
@Table(name = "`Country`")
class Country {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Nullable
    Long id;

    @Column(name = "`Order`")
    int order;

    String name = "";

    protected Country() {}

    Country(String name) {
        this.name = name;
    }
}
