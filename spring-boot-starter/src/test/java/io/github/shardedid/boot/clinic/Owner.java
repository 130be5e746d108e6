package io.github.shardedid.boot.clinic;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.List;

@Entity
@Table(name = "owners")
class Owner extends BaseEntity {
    private String lastName = "";

    @OneToMany(cascade = CascadeType.ALL, fetch = FetchType.EAGER)
    @JoinColumn(name = "owner_id")
    @OrderBy("name")
    private final List<Pet> pets = new ArrayList<>();

    protected Owner() {}

    Owner(String lastName) {
        this.lastName = lastName;
    }

    String getLastName() {
        return lastName;
    }

    List<Pet> getPets() {
        return pets;
    }
}
