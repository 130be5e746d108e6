package io.github.shardedid.hibernate.internal.foreign;

import java.io.Serializable;
import java.util.Iterator;
import java.util.Map;
import org.hibernate.Hibernate;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.type.CustomType;
import org.hibernate.type.Type;
import org.hibernate.type.spi.TypeConfiguration;
import org.jspecify.annotations.Nullable;

/** The type of the references in a collection, for what Hibernate does with a session that it does not pass to a {@link RowReference}. */
public final class ReferenceType extends CustomType<Object> {
    private static final long serialVersionUID = 1;

    private final transient RowReference references;

    private ReferenceType(RowReference references, TypeConfiguration types) {
        super(references, types);
        this.references = references;
    }

    /** The type of a collection's elements if they are references; else null. */
    public static @Nullable ReferenceType of(Type elements, TypeConfiguration types) {
        return elements instanceof CustomType<?> custom && custom.getUserType() instanceof RowReference references
                ? new ReferenceType(references, types)
                : null;
    }

    /** Refuses to write references to rows that are not saved: all of a new collection, or those that have changed. */
    public void requireSaved(
            PersistentCollection<?> collection,
            boolean recreated,
            CollectionPersister persister,
            SharedSessionContractImplementor session) {
        Iterator<?> entries = collection.entries(persister);
        for (int i = 0; entries.hasNext(); i++) {
            Object entry = entries.next();
            if (recreated || collection.needsInserting(entry, i, this) || collection.needsUpdating(entry, i, this)) {
                references.requireSaved(collection.getElement(entry), session);
            }
        }
    }

    /** From the second-level cache. */
    @Override
    public @Nullable Object assemble(
            @Nullable Serializable id, SharedSessionContractImplementor session, @Nullable Object owner) {
        return id == null ? null : read(id, session);
    }

    /** The row in the session of the merged owner. */
    @Override
    public @Nullable Object replace(
            @Nullable Object detached,
            @Nullable Object managed,
            SharedSessionContractImplementor session,
            Object owner,
            Map<Object, Object> copies) {
        Object id = detached == null ? null : references.idOf(detached);
        return id == null ? detached : read(id, session);
    }

    /** One to a global row is read, since no foreign key refuses one to a row that is not there. */
    private Object read(Object id, SharedSessionContractImplementor session) {
        Object reference = references.reference(id, session);
        if (references.isGlobal()) {
            Hibernate.initialize(reference);
        }
        return reference;
    }
}
