package io.github.shardedid.hibernate;

import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Column;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Locale;
import java.util.UUID;
import org.hibernate.annotations.Collate;
import org.hibernate.annotations.ColumnTransformer;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** Entities whose columns of shard keys hold, or may hold, another value than the attribute. */
final class StoredKeys {
    private StoredKeys() {}

    static class Lower implements AttributeConverter<String, String> {
        @Override
        public String convertToDatabaseColumn(String value) {
            return value.toLowerCase(Locale.ROOT);
        }

        @Override
        public String convertToEntityAttribute(String value) {
            return value;
        }
    }

    static class Negative implements AttributeConverter<Long, Long> {
        @Override
        public Long convertToDatabaseColumn(Long value) {
            return -value;
        }

        @Override
        public Long convertToEntityAttribute(Long value) {
            return -value;
        }
    }

    @Entity
    static class Converted extends RefusedKeys.Sharded {
        @ShardKey
        @Convert(converter = Lower.class)
        String code = "";
    }

    @Entity
    static class ConvertedReference extends RefusedKeys.Sharded {
        @ShardKey(references = ConvertedReference.class)
        @Convert(converter = Negative.class)
        @Nullable
        Long other;
    }

    @Entity
    static class Written extends RefusedKeys.Sharded {
        @ShardKey
        @ColumnTransformer(write = "lower(?)")
        String code = "";
    }

    @Entity
    static class Read extends RefusedKeys.Sharded {
        @ShardKey
        @ColumnTransformer(read = "upper(code)")
        String code = "";
    }

    @Entity
    static class Padded extends RefusedKeys.Sharded {
        @ShardKey
        @Column(columnDefinition = "char(10)")
        String code = "";
    }

    @Entity
    static class PaddedByCode extends RefusedKeys.Sharded {
        @ShardKey
        @JdbcTypeCode(SqlTypes.CHAR)
        String code = "";
    }

    @Entity
    static class CaseInsensitive extends RefusedKeys.Sharded {
        @ShardKey
        @Column(columnDefinition = "citext NOT NULL")
        String code = "";
    }

    @Entity
    static class Rounded extends RefusedKeys.Sharded {
        @ShardKey
        @Column(columnDefinition = "real")
        long number;
    }

    @Entity
    static class Collated extends RefusedKeys.Sharded {
        @ShardKey
        @Collate("no_case")
        String code = "";
    }

    @Entity
    static class CollatedByDefinition extends RefusedKeys.Sharded {
        @ShardKey
        @Column(columnDefinition = "text COLLATE no_case")
        String code = "";
    }

    @Entity
    static class WrittenId {
        @Id
        @ShardedId
        @ColumnTransformer(write = "abs(?)")
        @Nullable
        Long id;
    }

    @Entity
    static class Plain extends RefusedKeys.Sharded {
        @ShardKey
        @Column(columnDefinition = "varchar(20) COLLATE \"C\" NOT NULL")
        String code = "";
    }

    @Entity
    static class PlainText extends RefusedKeys.Sharded {
        @ShardKey
        @Column(length = 1_000_000)
        String code = "";
    }

    @Entity
    static class PlainNumber extends RefusedKeys.Sharded {
        @ShardKey
        @Column(columnDefinition = "NUMERIC(19) NOT NULL")
        long number;
    }

    @Entity
    static class TextOfUuid extends RefusedKeys.Sharded {
        @ShardKey
        @JdbcTypeCode(SqlTypes.CHAR)
        @Nullable
        UUID token;
    }
}
