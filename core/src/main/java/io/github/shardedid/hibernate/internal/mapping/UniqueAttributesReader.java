package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.boot.Metadata;
import org.hibernate.dialect.Dialect;
import org.hibernate.mapping.BasicValue;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.Join;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.ToOne;
import org.hibernate.mapping.UnionSubclass;
import org.hibernate.mapping.Value;
import org.hibernate.type.CustomType;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code @UniqueAcrossShards} from Hibernate's boot model, and refuses attributes whose values could not be claimed.
 *
 * <p>A claim is made before the row is sent, of the value that the column will have, and compared later with what the column has. So the value is
 * known in Java, and its text is that of the column: types are few, and a column returns what was written.
 */
public record UniqueAttributesReader(Metadata metadata, ShardedMappings mappings, MappingProblems problems) {
    /** The types whose {@code toString} is the text that PostgreSQL returns for the column. */
    private static final Set<Class<?>> TYPES =
            Set.of(String.class, Long.class, Integer.class, Short.class, Byte.class, UUID.class);

    /** Reads what is unique. The boot model stays as it is. */
    public List<UniqueAttributes> read() {
        List<UniqueAttributes> found = new ArrayList<>();
        for (PersistentClass entity : metadata.getEntityBindings()) {
            if (entity.getClassName() != null) {
                problems.collect(() -> read(entity, found));
            }
        }
        for (PersistentClass entity : metadata.getEntityBindings()) {
            if (mappings.find(entity.getEntityName()) != null) {
                problems.collect(() -> requireClaims(entity, found));
            }
        }
        metadata.getCollectionBindings()
                .forEach(each -> problems.collect(() -> refuseIn(each.getRole(), each.getElement())));
        return found;
    }

    private void read(PersistentClass entity, List<UniqueAttributes> found) {
        for (Class<?> type = entity.getMappedClass(); type != null; type = type.getSuperclass()) {
            for (UniqueAcrossShards each : type.getDeclaredAnnotationsByType(UniqueAcrossShards.class)) {
                if (each.attributes().length == 0) {
                    throw refused(
                            entity,
                            "has @UniqueAcrossShards, which names no attributes: name them with attributes = …");
                }
                List<MappedAttribute> named = Arrays.stream(each.attributes())
                        .map(path -> attribute(entity, path))
                        .toList();
                found.add(unique(entity, named, each.ignoreCase()));
            }
        }
        for (MappedAttribute attribute : MappedAttribute.of(entity)) {
            UniqueAcrossShards each = attribute.annotation(UniqueAcrossShards.class);
            if (each != null && each.attributes().length > 0) {
                throw refused(
                        entity,
                        "has @UniqueAcrossShards with attributes on " + attribute.path()
                                + ": put it on the class, or leave them out");
            } else if (each != null) {
                found.add(unique(entity, List.of(attribute), each.ignoreCase()));
            }
        }
        Property id = entity.getIdentifierProperty();
        List<MappedAttribute> ofId = new ArrayList<>(MappedAttribute.ofId(entity.getRootClass()));
        Stream.ofNullable(id)
                .map(each -> new MappedAttribute(entity.getMappedClass(), each.getName(), each))
                .forEach(ofId::add);
        if (ofId.stream().anyMatch(each -> each.annotation(UniqueAcrossShards.class) != null)) {
            throw refused(entity, "has @UniqueAcrossShards on its id, which is unique already: remove the annotation");
        }
    }

    /** Refuses an attribute that writes to a unique column, as that of another entity of the table does, and claims nothing. */
    private void requireClaims(PersistentClass entity, List<UniqueAttributes> found) {
        List<MappedAttribute> written = written(entity).toList();
        for (UniqueAttributes unique : found) {
            Set<String> claimed = found.stream()
                    .filter(each -> each.name().equals(unique.name())
                            && each.entityName().equals(entity.getEntityName()))
                    .flatMap(each -> each.paths().stream())
                    .collect(Collectors.toSet());
            PersistentClass other = metadata.getEntityBinding(unique.entityName());
            for (String path : unique.paths()) {
                Value value = attribute(other, path).property().getValue();
                written.stream()
                        .filter(each -> !claimed.contains(each.path()) && isSameColumn(column(each), value))
                        .findFirst()
                        .ifPresent(each -> {
                            throw refused(
                                    entity,
                                    "writes to the column of " + unique.entityName() + "." + path
                                            + ", which is @UniqueAcrossShards, but its attribute " + each.path()
                                            + " claims no value: annotate it likewise, map it with insertable = false and updatable = false, or map a collection with mappedBy");
                        });
            }
        }
    }

    private static Stream<MappedAttribute> written(PersistentClass entity) {
        return MappedAttribute.of(entity).stream()
                .filter(each ->
                        each.property().isInsertable() || each.property().isUpdatable())
                .filter(each -> !(each.property().getValue() instanceof Component));
    }

    /** Returns the column that an attribute writes; for a collection with {@code @JoinColumn}, that of its elements. */
    private static Value column(MappedAttribute attribute) {
        return attribute.property().getValue() instanceof Collection collection
                        && collection.isOneToMany()
                        && !collection.isInverse()
                        && collection.getKey().isUpdateable()
                ? collection.getKey()
                : attribute.property().getValue();
    }

    /** Returns the columns that sharded entities write, each after its table and a dot, with names as PostgreSQL stores them. */
    public Set<String> written() {
        return metadata.getEntityBindings().stream()
                .filter(entity -> mappings.find(entity.getEntityName()) != null)
                .flatMap(UniqueAttributesReader::written)
                .map(UniqueAttributesReader::column)
                .filter(value -> !value.hasFormula())
                .flatMap(value -> value.getColumns().stream()
                        .map(column -> stored(value.getTable()) + "."
                                + MappedTables.stored(column.getName(), column.isQuoted())))
                .collect(Collectors.toSet());
    }

    private static String stored(Table table) {
        return MappedTables.stored(table.getName(), table.isQuoted());
    }

    private static boolean isSameColumn(Value own, Value value) {
        return own.getTable().equals(value.getTable()) && !Collections.disjoint(own.getColumns(), value.getColumns());
    }

    private static MappedAttribute attribute(PersistentClass entity, String path) {
        return MappedAttribute.of(entity).stream()
                .filter(each -> each.path().equals(path))
                .findFirst()
                .orElseThrow(() -> refused(
                        entity,
                        "has @UniqueAcrossShards for " + path + ", which is no attribute of it, or a part of its id"));
    }

    private UniqueAttributes unique(PersistentClass entity, List<MappedAttribute> attributes, boolean ignoreCase) {
        String ofEntity = fault(entity);
        if (ofEntity != null) {
            throw refused(entity, "has @UniqueAcrossShards, but " + ofEntity);
        }
        List<Table> tables = attributes.stream()
                .map(each -> each.property().getValue().getTable())
                .distinct()
                .toList();
        for (MappedAttribute attribute : attributes) {
            String fault = attributes.size() > 1 && attribute.property().isLazy()
                    ? "is lazy: a combination is claimed as a whole, also if another attribute of it changes. Fetch it eagerly"
                    : fault(entity, attribute, ignoreCase);
            if (fault != null) {
                throw refused(entity, "has @UniqueAcrossShards for " + attribute.path() + ", which " + fault);
            }
        }
        if (tables.size() > 1) {
            throw refused(
                    entity,
                    "has @UniqueAcrossShards for attributes of several tables, " + tables + ": map them to one");
        }
        Table table = tables.get(0);
        String columns = attributes.stream()
                .flatMap(each -> each.property().getColumns().stream())
                .map(column -> MappedTables.stored(column.getName(), column.isQuoted()))
                .map(name -> ignoreCase ? "lower(" + name + ")" : name)
                .collect(Collectors.joining(","));
        return new UniqueAttributes(
                stored(table) + "(" + columns + ")",
                entity.getEntityName(),
                attributes.stream().map(MappedAttribute::path).toList(),
                ignoreCase,
                key(entity, table));
    }

    /** The end of a sentence about an entity; null if its values can be claimed: the claim names the row by a single number, whose bits say where it is. */
    private @Nullable String fault(PersistentClass entity) {
        ShardedMapping mapping = mappings.find(entity.getEntityName());
        if (mapping == null) {
            return "is not sharded. Use a unique constraint in the global database, or annotate its id with @ShardedId";
        } else if (!mapping.idNamesShard() || mapping.idPart() != null) {
            return "its id is not a number that names its shard. Give it a Long id with @ShardedId, or keep the value in a global entity";
        } else if (entity.getRootClass().getSubclasses().stream().anyMatch(UnionSubclass.class::isInstance)) {
            return "its hierarchy has a table per class. Use another strategy";
        }
        Property id = entity.getIdentifierProperty();
        ShardedId annotation =
                new MappedAttribute(entity.getMappedClass(), id.getName(), id).annotation(ShardedId.class);
        return annotation == null || annotation.strategy() != IdStrategy.COLUMN_DEFAULT
                ? null
                : "the database generates its id with the insert, which the claim has to precede. Use the strategy DATABASE or JVM";
    }

    /** The end of a sentence about an attribute; null if its values can be claimed. */
    private @Nullable String fault(PersistentClass entity, MappedAttribute attribute, boolean ignoreCase) {
        Property property = attribute.property();
        Value value = property.getValue();
        if (value.hasFormula() || !property.isInsertable()) {
            return "is not written by Hibernate: put the annotation on the attribute that writes its column";
        } else if (property == entity.getVersion() || property.getValueGeneratorCreator() != null) {
            return "is generated when the row is written, after the claim: let the application set it";
        } else if (value instanceof ToOne toOne) {
            return toOne.isReferenceToPrimaryKey()
                            && metadata.getEntityBinding(toOne.getReferencedEntityName())
                                            .getIdentifier()
                                    instanceof BasicValue id
                    ? fault(id, ignoreCase)
                    : "refers to a row by more than the single column of its id: use other attributes";
        }
        return value instanceof BasicValue basic
                ? fault(basic, ignoreCase)
                : "is not a single column: name the attributes within it";
    }

    private static @Nullable String fault(BasicValue value, boolean ignoreCase) {
        BasicValue.Resolution<?> resolved = value.resolve();
        Class<?> type = MethodType.methodType(resolved.getRelationalJavaType().getJavaTypeClass())
                .wrap()
                .returnType();
        int code = resolved.getJdbcType().getDdlTypeCode();
        if (resolved.getLegacyResolvedBasicType() instanceof CustomType) {
            return "has a @Type, which may store another text than Hibernate knows: use an AttributeConverter";
        }
        for (Column column : value.getColumns()) {
            if (column.getCustomWrite() != null || column.getCustomRead() != null) {
                return "has a @ColumnTransformer, so its column has another value than Hibernate knows: use an AttributeConverter";
            } else if (!ignoreCase && "citext".equalsIgnoreCase(column.getSqlType())) {
                return "has the column type citext, for which texts are equal that differ in case: set ignoreCase = true";
            }
        }
        return TYPES.contains(type) && code != java.sql.Types.CHAR && code != java.sql.Types.CLOB
                ? null
                : "is stored as " + type.getName() + " ("
                        + resolved.getJdbcType().getFriendlyName()
                        + "): only texts without padding, whole numbers and UUIDs are claimed. Convert it to one of them with an"
                        + " AttributeConverter";
    }

    /** The column of the row's id in one of the tables of an entity. */
    private String key(PersistentClass entity, Table table) {
        Dialect dialect = metadata.getDatabase().getDialect();
        for (PersistentClass at = entity; at != null; at = at.getSuperclass()) {
            if (at.getTable().equals(table)) {
                return at.getKey().getColumns().get(0).getQuotedName(dialect);
            }
            for (Join join : at.getJoins()) {
                if (join.getTable().equals(table)) {
                    return join.getKey().getColumns().get(0).getQuotedName(dialect);
                }
            }
        }
        throw new IllegalStateException(entity.getEntityName() + " has no table " + table.getName() + ".");
    }

    /** Elements of collections are no rows of an entity, so that nothing would claim their values. */
    private static void refuseIn(String role, Value element) {
        if (element instanceof Component component) {
            for (Property part : component.getProperties()) {
                Class<?> owner = MappedAttribute.ownerOf(component, part);
                if (new MappedAttribute(owner, part.getName(), part).annotation(UniqueAcrossShards.class) != null) {
                    throw new ShardedIdMappingException(
                            role + " has elements with @UniqueAcrossShards for " + part.getName()
                                    + ", but only attributes of entities are claimed. Map the elements as an entity.");
                }
                refuseIn(role, part.getValue());
            }
        }
    }

    private static ShardedIdMappingException refused(PersistentClass entity, String fault) {
        return new ShardedIdMappingException(Objects.requireNonNull(entity.getEntityName()) + " " + fault + ".");
    }
}
