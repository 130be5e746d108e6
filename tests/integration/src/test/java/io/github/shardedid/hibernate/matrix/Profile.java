package io.github.shardedid.hibernate.matrix;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToOne;
import org.jspecify.annotations.Nullable;

/** Has the id of the row that it belongs to. */
@Entity
class Profile {
    @Id
    @Nullable
    Long id;

    @MapsId
    @OneToOne(fetch = FetchType.LAZY)
    @JoinColumn(name = "id")
    @Nullable
    Person person;

    String motto = "";

    protected Profile() {}

    Profile(Person person, String motto) {
        this.person = person;
        this.motto = motto;
    }
}
