package io.github.shardedid.hibernate.matrix;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.CascadeType;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.JoinTable;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.MapKeyColumn;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OrderBy;
import jakarta.persistence.OrderColumn;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A root with every kind of collection. */
@Entity
@NamedQuery(name = "Person.named", query = "select p.name from Person p where p.id = :id")
class Person {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @Version
    int version;

    String name = "";

    /** A bag. */
    @OneToMany(mappedBy = "owner", cascade = CascadeType.ALL, orphanRemoval = true)
    @OrderBy("name")
    List<Pet> pets = new ArrayList<>();

    @ElementCollection
    @CollectionTable(name = "nickname", joinColumns = @JoinColumn(name = "person_id"))
    @Column(name = "nickname")
    Set<String> nicknames = new HashSet<>();

    @ElementCollection
    @CollectionTable(name = "address", joinColumns = @JoinColumn(name = "person_id"))
    @Column(name = "address")
    @OrderColumn(name = "place")
    List<String> addresses = new ArrayList<>();

    @ElementCollection
    @CollectionTable(name = "phone", joinColumns = @JoinColumn(name = "person_id"))
    @MapKeyColumn(name = "kind")
    @Column(name = "number")
    Map<String, String> phones = new HashMap<>();

    @ManyToMany
    @JoinTable(
            name = "friendship",
            joinColumns = @JoinColumn(name = "person_id"),
            inverseJoinColumns = @JoinColumn(name = "friend_id"))
    Set<Person> friends = new HashSet<>();

    @OneToMany
    @JoinColumn(name = "person_id")
    Set<Note> notes = new HashSet<>();

    protected Person() {}

    Person(String name) {
        this.name = name;
    }

    /** To be asked of a proxy, whose fields are never filled. */
    String name() {
        return name;
    }

    void rename(String to) {
        name = to;
    }
}
