package io.github.shardedid.boot.unsharded;

import io.github.shardedid.hibernate.UniqueAcrossShards;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.UniqueConstraint;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

@Entity
public class Owner {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    public @Nullable Long id;

    public String name = "";

    @Column(unique = true)
    public @Nullable String email;

    @Column(unique = true)
    @UniqueAcrossShards
    public @Nullable String login;

    @ElementCollection
    @CollectionTable(name = "owner_phone", uniqueConstraints = @UniqueConstraint(columnNames = "number"))
    @Column(name = "number")
    public Set<String> phones = new HashSet<>();

    @ElementCollection
    @CollectionTable(name = "owner_alias", uniqueConstraints = @UniqueConstraint(columnNames = {"owner_id", "alias"}))
    @Column(name = "alias")
    public Set<String> aliases = new HashSet<>();
}
