package io.github.shardedid.boot.shelter;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Its only reference leads to a lookup table. */
@Entity
class Animal {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Nullable
    Long id;

    String name = "";

    @ManyToOne
    @Nullable
    Kind kind;

    @OneToMany(cascade = CascadeType.PERSIST, mappedBy = "animal")
    List<Treatment> treatments = new ArrayList<>();

    protected Animal() {}

    Animal(String name, Kind kind) {
        this.name = name;
        this.kind = kind;
    }
}
