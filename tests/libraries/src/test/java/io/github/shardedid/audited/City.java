package io.github.shardedid.audited;

import static java.util.Objects.requireNonNull;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import org.hibernate.envers.Audited;
import org.jspecify.annotations.Nullable;

/** A global entity. */
@Entity
@Audited
public class City {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private @Nullable Long id;

    private String name = "";

    protected City() {}

    public City(String name) {
        this.name = name;
    }

    public Long id() {
        return requireNonNull(id);
    }

    public String name() {
        return name;
    }

    public void rename(String other) {
        name = other;
    }
}
