package io.github.shardedid.hibernate.unique;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Basic;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OneToOne;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.SQLDelete;
import org.hibernate.annotations.SQLRestriction;
import org.hibernate.annotations.SoftDelete;
import org.jspecify.annotations.Nullable;

/** Entities with unique values in mappings of all sorts. */
final class Mapped {
    private Mapped() {}

    /** Deleted rows stay in the table. */
    @Entity(name = "Softly")
    @SoftDelete
    static class Softly {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @UniqueAcrossShards
        @Nullable
        String name;
    }

    /** Deleted rows stay in the table, by a statement of the application. */
    @Entity(name = "Marked")
    @SQLDelete(sql = "UPDATE {h-schema}marked SET gone = true WHERE id = ?")
    @SQLRestriction("not gone")
    static class Marked {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @UniqueAcrossShards
        @Nullable
        String name;

        boolean gone;
    }

    /** The root of a hierarchy with a table for each class. */
    @Entity(name = "Party")
    @Inheritance(strategy = InheritanceType.JOINED)
    static class Party {
        @Id
        @ShardedId(strategy = IdStrategy.JVM)
        @Nullable
        Long id;

        @Version
        int version;

        @UniqueAcrossShards(ignoreCase = true)
        @Nullable
        String login;
    }

    /** Its table has a unique column of its own. */
    @Entity(name = "Company")
    static class Company extends Party {
        @UniqueAcrossShards
        @Column(name = "tax_number")
        @Nullable
        Long taxNumber;
    }

    /** Has the id of its party. */
    @Entity(name = "Profile")
    static class Profile {
        @Id
        @Nullable
        Long id;

        @MapsId
        @OneToOne
        @Nullable
        Party party;

        @UniqueAcrossShards
        @Nullable
        UUID token;
    }

    /** Has a value that is stored encrypted, another time with another text. */
    @Entity(name = "Secret")
    static class Secret {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @UniqueAcrossShards
        @Convert(converter = Salted.class)
        @Nullable
        String code;
    }

    /** A combination of which one attribute may not be fetched. */
    @Entity(name = "Lazily")
    @UniqueAcrossShards(attributes = {"tenant", "slug"})
    static class Lazily {
        @Id
        @ShardedId
        @Nullable
        Long id;

        long tenant;

        @Basic(fetch = FetchType.LAZY)
        @Nullable
        String slug;
    }

    static class Salted implements AttributeConverter<String, String> {
        @Override
        public @Nullable String convertToDatabaseColumn(@Nullable String attribute) {
            return attribute == null ? null : UUID.randomUUID() + attribute;
        }

        @Override
        public @Nullable String convertToEntityAttribute(@Nullable String column) {
            return column == null ? null : column.substring(36);
        }
    }

    /** Its collection writes to a column that its elements claim. */
    @Entity(name = "Shelf")
    static class Shelf {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @OneToMany
        @JoinColumn(name = "shelf_id")
        List<Volume> volumes = new ArrayList<>();
    }

    @Entity(name = "Volume")
    @UniqueAcrossShards(attributes = {"shelf", "title"})
    static class Volume {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ManyToOne
        @JoinColumn(name = "shelf_id")
        @Nullable
        Shelf shelf;

        @Nullable
        String title;
    }
}
