package io.github.shardedid.hibernate.unique;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Convert;
import jakarta.persistence.DiscriminatorColumn;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** A root with two unique combinations, one of which its subclass inherits only; values within an embeddable, and converted. */
@Entity
@DiscriminatorColumn(name = "kind")
@UniqueAcrossShards(attributes = {"owner", "address.slug"})
class Page {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    @ManyToOne
    @Nullable
    Member owner;

    @Embedded
    Page.@Nullable Address address;

    Page() {}

    Page(Member owner, @Nullable String slug) {
        this.owner = owner;
        this.address = slug == null ? null : new Address(slug);
    }

    @Embeddable
    static class Address {
        @Nullable
        String slug;

        @UniqueAcrossShards
        @Convert(converter = Reversing.class)
        @Nullable
        String code;

        Address() {}

        Address(@Nullable String slug) {
            this.slug = slug;
        }
    }

    @Entity(name = "Chapter")
    static class Chapter extends Page {
        @UniqueAcrossShards
        @Nullable
        Integer number;

        Chapter() {}

        Chapter(Member owner, @Nullable Integer number) {
            super(owner, null);
            this.number = number;
        }
    }

    static class Reversing implements AttributeConverter<String, String> {
        @Override
        public @Nullable String convertToDatabaseColumn(@Nullable String attribute) {
            return attribute == null
                    ? null
                    : new StringBuilder(attribute).reverse().toString();
        }

        @Override
        public @Nullable String convertToEntityAttribute(@Nullable String column) {
            return convertToDatabaseColumn(column);
        }
    }
}
