package io.github.shardedid.hibernate.internal.mapping;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import jakarta.persistence.GeneratedValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.ToOne;
import org.hibernate.mapping.Value;
import org.hibernate.property.access.spi.Getter;
import org.jspecify.annotations.Nullable;

/**
 * Finds the part of a composite id that names the shard: the one with {@code @ShardKey}, else the only one that
 * refers to a sharded row.
 *
 * <p>An association may write a part without being one: with {@code @MapsId}, or as an attribute beside an
 * {@code @IdClass}. So the attributes of the entity are compared with the parts by their columns. If several parts
 * refer to sharded rows, nothing is guessed: the application chooses one.
 *
 * @param sharded returns whether an entity is sharded, which may depend on this reader again
 */
@SuppressWarnings("removal") // as in IdPart
record IdPartReader(Metadata metadata, Predicate<@Nullable PersistentClass> sharded, ShardKeyReader keys) {
    /**
     * A part of a composite id, and the attribute that says whose id it is.
     *
     * @param part the part of the id
     * @param association what writes it ({@code @MapsId}); null if that is the part itself
     */
    record Candidate(MappedAttribute part, @Nullable MappedAttribute association) {
        /** The part itself, or the association that writes it. */
        MappedAttribute attribute() {
            return association == null ? part : association;
        }

        boolean isKey() {
            return attribute().annotation(ShardKey.class) != null;
        }
    }

    /** The part that names the shard; null if the id names none. The first of several, which {@link #check} refuses. */
    @Nullable
    Candidate find(PersistentClass entity) {
        if (!(entity.getIdentifier() instanceof Component)
                || entity.getClassName() == null
                || EntityIds.isDeclaredGlobal(entity)) {
            return null;
        }
        List<Candidate> chosen = chosen(candidates(entity));
        // The association of a part can be navigated in queries, and its entity may have no id yet.
        return chosen.stream()
                .filter(candidate -> candidate.association() != null)
                .findFirst()
                .orElse(chosen.isEmpty() ? null : chosen.get(0));
    }

    /**
     * Returns the candidates that the application has chosen by {@code @ShardKey}; all of them if it has chosen
     * none.
     */
    private static List<Candidate> chosen(List<Candidate> all) {
        List<Candidate> declared = all.stream().filter(Candidate::isKey).toList();
        return declared.isEmpty() ? all : declared;
    }

    /** Refuses an id of which several parts may name the shard. */
    void check(PersistentClass entity) {
        MappedAttribute.ofId(entity).stream()
                .filter(part -> part.annotation(GeneratedValue.class) != null)
                .forEach(part -> ShardedMappingReader.refuseGenerated(
                        entity.getEntityName() + "." + part.path(),
                        part.property().getValue()));
        List<Candidate> chosen = chosen(candidates(entity));
        if (chosen.stream().map(each -> each.part().path()).distinct().count() > 1) {
            throw refused(entity, chosen, chosen.stream().noneMatch(Candidate::isKey));
        }
    }

    /** The path of the part that names the shard; null for none. */
    @Nullable
    String pathOf(PersistentClass entity) {
        Candidate found = find(entity.getRootClass());
        return found == null ? null : found.part().path();
    }

    private static ShardedIdMappingException refused(
            PersistentClass entity, List<Candidate> chosen, boolean withoutKey) {
        List<String> names =
                chosen.stream().map(each -> each.attribute().path()).distinct().toList();
        return new ShardedIdMappingException("The id of " + entity.getEntityName()
                + (withoutKey
                        ? " refers to several sharded rows, and nothing says in whose shard its rows are: " + names
                                + ". Put @ShardKey on the one that decides; the others are checked to be in the same shard."
                                + " Declare @ForeignShard what belongs to its own."
                        : " has several parts with @ShardKey: " + names + ". Keep the one that determines the shard."));
    }

    /** Returns the parts that could name the shard, and the associations that write them. */
    private List<Candidate> candidates(PersistentClass entity) {
        List<MappedAttribute> parts = MappedAttribute.ofId(entity);
        List<Candidate> found = new ArrayList<>();
        parts.stream()
                .filter(part -> part.annotation(ShardKey.class) != null || refersToSharded(part))
                .forEach(part -> found.add(new Candidate(part, null)));
        for (MappedAttribute attribute : MappedAttribute.of(entity)) {
            if (refersToSharded(attribute)) {
                parts.stream()
                        .filter(part -> writes(attribute.property().getValue(), entity, part))
                        .findFirst()
                        .ifPresent(part -> found.add(new Candidate(part, attribute)));
            }
        }
        return found;
    }

    private boolean refersToSharded(MappedAttribute attribute) {
        return attribute.property().getValue() instanceof ToOne toOne
                && !ForeignShardBinder.isForeign(attribute.property())
                && !toOne.hasFormula()
                && sharded.test(metadata.getEntityBinding(toOne.getReferencedEntityName()));
    }

    /** Returns whether an association has the columns of a part. */
    private static boolean writes(Value association, PersistentClass entity, MappedAttribute part) {
        return !association.getColumns().isEmpty()
                && association.getTable().equals(entity.getRootTable())
                && part.property().getValue().getColumns().equals(association.getColumns());
    }

    /** Reads a part that {@link #find} has found. */
    IdPart read(PersistentClass entity, Candidate candidate) {
        Component id = (Component) entity.getIdentifier();
        Class<?> idClass = idClass(entity, id);
        ShardKeyAttribute key = keys.read(entity, candidate.attribute());
        MappedAttribute part = candidate.part();
        ShardKeyAttribute own = candidate.association() == null ? key : key.asReference(part.path());
        Getter getter = part.property().getGetter(idClass);
        return new IdPart(
                own, idClass, getter, targetId(own), columns(id, part.property().getValue()));
    }

    private static Class<?> idClass(PersistentClass entity, Component id) {
        Class<?> idClass = id.getComponentClass();
        if (idClass == entity.getMappedClass()) {
            throw new ShardedIdMappingException(entity.getEntityName()
                    + " has no class for its ids, so the entity itself would be the id. Add an @IdClass; or, if an association is"
                    + " the only id, give it an id of its own that @MapsId shares with the other entity.");
        }
        return idClass;
    }

    /**
     * Returns what reads the id of the entity in a part; null if the part is no association. Within an embedded
     * id, an association is an entity, and not only its id.
     */
    private @Nullable Getter targetId(ShardKeyAttribute key) {
        if (key.kind() != ShardKeyAttribute.Kind.PARENT) {
            return null;
        }
        PersistentClass target = metadata.getEntityBinding(Objects.requireNonNull(key.target()));
        Property id = target.getIdentifierProperty();
        return id == null ? null : id.getGetter(target.getMappedClass());
    }

    /**
     * Returns the positions of a part's columns in the id. Other tables have the id's columns under other names,
     * in the same order.
     */
    private static List<Integer> columns(Component id, Value part) {
        return IntStream.range(0, id.getColumnSpan())
                .filter(i -> part.getColumns().contains(id.getColumns().get(i)))
                .boxed()
                .toList();
    }
}
