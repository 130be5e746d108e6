package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.id.IdLayout;
import java.lang.invoke.MethodType;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.hibernate.annotations.TenantId;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.BasicValue;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.ToOne;
import org.hibernate.mapping.Value;
import org.hibernate.type.CustomType;
import org.jspecify.annotations.Nullable;

/**
 * Reads the attribute with {@code @ShardKey}, and refuses one that cannot determine the shard of a new row.
 *
 * <p>The shard is computed from the attribute's value in Java, when the row is saved, and again from the values of
 * queries, years later. So three things have to hold: the value is known before the insert, the column returns it
 * unchanged, and values that the database takes for equal are equal in Java. Otherwise, a query by the key would
 * look in a shard that does not have the row.
 *
 * @param metadata the boot model
 * @param layout the layout that ids of other entities have to fit into
 * @param sharded returns whether an entity is sharded
 */
record ShardKeyReader(Metadata metadata, IdLayout layout, Predicate<PersistentClass> sharded) {
    /** Types that return the stored value and compare as Java does, unlike {@code char(n)}, {@code citext} and {@code real}. */
    private static final Pattern EXACT_TYPE = Pattern.compile(
            "\\s*(text|varchar|character\\s+varying|uuid|bigint|int8|integer|int4?|smallint|int2|numeric|decimal)\\b"
                    + "(?!.*\\bcollate\\s+(?!\"(C|POSIX)\")).*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** Collations by which only identical texts are equal. Any other one may be nondeterministic. */
    private static final Set<String> EXACT_COLLATIONS = Set.of("C", "POSIX");

    /**
     * Reads a shard key.
     *
     * @throws ShardedIdMappingException if the value is of another type, refers to no sharded row, or may differ
     *     from that of the column
     */
    ShardKeyAttribute read(PersistentClass entity, MappedAttribute attribute) {
        String fault = fault(entity, attribute);
        if (fault != null) {
            throw new ShardedIdMappingException("The @ShardKey " + entity.getEntityName() + "." + attribute.path() + " "
                    + fault
                    + ". A shard key is a to-one association to a sharded entity, the id of one (references = …), a whole"
                    + " number, a String or a UUID.");
        }
        if (attribute.property().getValue() instanceof ToOne) {
            return key(entity, attribute, ShardKeyAttribute.Kind.PARENT, target(attribute));
        } else if (references(attribute) != void.class) {
            return key(entity, attribute, ShardKeyAttribute.Kind.REFERENCE, target(attribute));
        }
        boolean whole = ShardKeyAttribute.isWhole(typeOf(attribute));
        return key(entity, attribute, whole ? ShardKeyAttribute.Kind.NUMBER : ShardKeyAttribute.Kind.TEXT, null);
    }

    /** Returns the entity that a shard key refers to; the name of no entity if it refers to none. */
    static String target(MappedAttribute attribute) {
        return attribute.property().getValue() instanceof ToOne toOne
                ? toOne.getReferencedEntityName()
                : references(attribute).getName();
    }

    private static Class<?> references(MappedAttribute attribute) {
        ShardKey annotation = attribute.annotation(ShardKey.class);
        return annotation == null ? void.class : annotation.references();
    }

    /**
     * Returns why an attribute cannot determine the shard, as the end of a sentence about it; null if it can. Values that are unknown when
     * the shard is chosen are those of the database, and those that Hibernate generates later.
     */
    private @Nullable String fault(PersistentClass entity, MappedAttribute attribute) {
        Property property = attribute.property();
        Value value = property.getValue();
        if (ForeignShardBinder.isForeign(property)) {
            return "has @ForeignShard, so its row may be in any shard: remove one of the two";
        } else if (value.hasFormula()) {
            return "is computed by the database, after the shard is chosen";
        } else if (property == entity.getVersion()
                || (property.getValueGeneratorCreator() != null && !isTenant(attribute))) {
            return "is generated when the row is written, after the shard is chosen: let the application set it";
        } else if (!(value instanceof ToOne) && !property.isInsertable()) {
            return "is not insertable: put @ShardKey on the attribute that writes its column";
        }
        String obstacle = obstacle(value);
        return obstacle == null
                ? faultOfType(attribute)
                : obstacle
                        + ", so the column may contain another value than the attribute, and that value would name another"
                        + " shard: store the value unchanged, in a column such as text or bigint, and convert it before it"
                        + " is set";
    }

    private @Nullable String faultOfType(MappedAttribute attribute) {
        Class<?> type = typeOf(attribute);
        String target = target(attribute);
        if (attribute.property().getValue() instanceof ToOne) {
            return isSharded(target)
                    ? null
                    : "refers to " + target + ", whose id has no @ShardedId and names no shard: annotate that id";
        } else if (references(attribute) != void.class) {
            return isSharded(target) && EntityIds.hold(layout, type)
                    ? null
                    : "references " + target + ", but that is not an entity with @ShardedId, or the"
                            + " type " + type.getName() + " cannot hold its ids, which need "
                            + EntityIds.text(layout) + ": annotate its id, or change the type";
        }
        return ShardKeyAttribute.isWhole(type) || type == String.class || type == UUID.class
                ? null
                : "is of type " + type.getName();
    }

    private boolean isSharded(String entityName) {
        PersistentClass found = metadata.getEntityBinding(entityName);
        return found != null && sharded.test(found);
    }

    private static Class<?> typeOf(MappedAttribute attribute) {
        return MethodType.methodType(attribute.property().getType().getReturnedClass())
                .wrap()
                .returnType();
    }

    private static ShardKeyAttribute key(
            PersistentClass entity, MappedAttribute attribute, ShardKeyAttribute.Kind kind, @Nullable String target) {
        Property property = attribute.property();
        boolean primitive = property.getType().getReturnedClass().isPrimitive();
        return new ShardKeyAttribute(
                entity.getEntityName(),
                attribute.path(),
                kind,
                target,
                typeOf(attribute),
                !primitive && property.isOptional() && property.getValue().isNullable(),
                false,
                isTenant(attribute));
    }

    private static boolean isTenant(MappedAttribute attribute) {
        return attribute.annotation(TenantId.class) != null;
    }

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

    /** Returns what changes a value on its way to the column; null if nothing does. */
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
