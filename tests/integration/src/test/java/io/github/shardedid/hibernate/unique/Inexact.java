package io.github.shardedid.hibernate.unique;

import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Table;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.UUID;
import org.hibernate.annotations.DynamicInsert;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.annotations.Type;
import org.hibernate.type.SqlTypes;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.usertype.UserType;
import org.jspecify.annotations.Nullable;

/** Entities whose columns have other values than those that are claimed, unless that is noticed. */
final class Inexact {
    private Inexact() {}

    @MappedSuperclass
    static class Row {
        @Id
        @ShardedId
        @Nullable
        Long id;
    }

    /** Its converter gives null a text. */
    @Entity(name = "Marking")
    static class Marking extends Row {
        @UniqueAcrossShards
        @Convert(converter = Unnamed.class)
        @Nullable
        String name;
    }

    static class Unnamed implements AttributeConverter<String, String> {
        @Override
        public String convertToDatabaseColumn(@Nullable String attribute) {
            return attribute == null ? "unnamed" : attribute;
        }

        @Override
        public @Nullable String convertToEntityAttribute(String column) {
            return column.equals("unnamed") ? null : column;
        }
    }

    /** Writes to the column of another entity. */
    @Entity(name = "MarkingView")
    @Table(name = "marking")
    static class MarkingView extends Row {
        @Column(name = "name")
        @Nullable
        String text;
    }

    @Entity(name = "Binary")
    @Table(name = "inexact")
    static class Binary extends Row {
        @UniqueAcrossShards
        @JdbcTypeCode(SqlTypes.BINARY)
        @Nullable
        UUID token;
    }

    @Entity(name = "Rounded")
    @Table(name = "inexact")
    static class Rounded extends Row {
        @UniqueAcrossShards
        @Nullable
        Long price;
    }

    @Entity(name = "Collated")
    @Table(name = "inexact")
    static class Collated extends Row {
        @UniqueAcrossShards
        @Nullable
        String name;
    }

    @Entity(name = "Defaulted")
    @Table(name = "inexact")
    @DynamicInsert
    static class Defaulted extends Row {
        @UniqueAcrossShards
        @Nullable
        String state;
    }

    @Entity(name = "Typed")
    @Table(name = "inexact")
    static class Typed extends Row {
        @UniqueAcrossShards
        @Type(LowerCase.class)
        @Nullable
        String state;
    }

    public static class LowerCase implements UserType<String> {
        @Override
        public int getSqlType() {
            return SqlTypes.VARCHAR;
        }

        @Override
        public Class<String> returnedClass() {
            return String.class;
        }

        @Override
        public @Nullable String nullSafeGet(ResultSet row, int position, WrapperOptions options) throws SQLException {
            return row.getString(position);
        }

        @Override
        public void nullSafeSet(
                PreparedStatement statement, @Nullable String value, int position, WrapperOptions options)
                throws SQLException {
            statement.setString(position, value == null ? null : value.toLowerCase(Locale.ROOT));
        }

        @Override
        public String deepCopy(String value) {
            return value;
        }

        @Override
        public boolean isMutable() {
            return false;
        }
    }
}
