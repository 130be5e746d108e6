package io.github.shardedid.boot.clinic;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import jakarta.persistence.Table;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

@Entity
@Table(name = "pets")
class Pet extends NamedEntity {
    @ManyToOne
    @JoinColumn(name = "type_id")
    private @Nullable PetType type;

    @OneToMany(cascade = CascadeType.ALL, fetch = FetchType.EAGER)
    @JoinColumn(name = "pet_id")
    @OrderBy("date ASC")
    private final Set<Visit> visits = new LinkedHashSet<>();

    protected Pet() {}

    Pet(String name, PetType type) {
        setName(name);
        this.type = type;
    }

    @Nullable
    PetType getType() {
        return type;
    }

    Set<Visit> getVisits() {
        return visits;
    }
}
