package io.github.shardedid.hibernate.internal.mapping;

import java.util.Set;
import java.util.regex.Pattern;
import org.hibernate.mapping.BasicValue;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Value;
import org.hibernate.type.CustomType;
import org.jspecify.annotations.Nullable;

/** Finds mappings whose column may contain another value than the attribute, so that the two would name different shards. */
final class StoredValue {
    /** Types that return the stored value and compare as Java does, unlike {@code char(n)}, {@code citext} and {@code real}. */
    private static final Pattern EXACT_TYPE = Pattern.compile(
            "\\s*(text|varchar|character\\s+varying|uuid|bigint|int8|integer|int4?|smallint|int2|numeric|decimal)\\b"
                    + "(?!.*\\bcollate\\s+(?!\"(C|POSIX)\")).*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private static final Set<String> EXACT_COLLATIONS = Set.of("C", "POSIX");

    private StoredValue() {}

    /** The obstacle as the end of a sentence about the attribute; null if the column contains the attribute's value. */
    static @Nullable String obstacle(Value value) {
        for (Column column : value.getColumns()) {
            String type = column.getSqlType();
            String collation = column.getCollation();
            if (column.getCustomWrite() != null || column.getCustomRead() != null) {
                return "has a @ColumnTransformer";
            }
            if (type != null && !EXACT_TYPE.matcher(type).matches()) {
                return "has the column type " + type;
            }
            if (collation != null && !EXACT_COLLATIONS.contains(collation)) {
                return "has the collation " + collation;
            }
        }
        return value instanceof BasicValue basic ? obstacle(basic.resolve()) : null;
    }

    private static @Nullable String obstacle(BasicValue.Resolution<?> resolved) {
        if (resolved.getValueConverter() != null) {
            return "has a converter";
        }
        if (resolved.getLegacyResolvedBasicType() instanceof CustomType) {
            return "has a @Type";
        }
        int code = resolved.getJdbcType().getDdlTypeCode();
        boolean padded = code == java.sql.Types.CHAR || code == java.sql.Types.NCHAR;
        return padded && resolved.getDomainJavaType().getJavaTypeClass() == String.class
                ? "has the column type char"
                : null;
    }
}
