package io.github.shardedid.boot.unsharded;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import jakarta.persistence.UniqueConstraint;
import org.jspecify.annotations.Nullable;

@Entity
@Table(uniqueConstraints = @UniqueConstraint(columnNames = {"owner_id", "name"}))
public class Pet {
    @Id
    @GeneratedValue
    public @Nullable Long id;

    @ManyToOne(fetch = FetchType.LAZY)
    public @Nullable Owner owner;

    public String name = "";

    protected Pet() {}

    public Pet(Owner owner, String name) {
        this.owner = owner;
        this.name = name;
    }
}
