package io.github.shardedid.hibernate.internal.foreign;

import io.github.shardedid.hibernate.internal.foreign.ForeignAttributes.Foreign;
import io.github.shardedid.hibernate.internal.mapping.ForeignShardBinder;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.hibernate.FetchMode;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.BasicValue;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.ManyToOne;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.type.BasicType;

/**
 * Changes Hibernate's boot model so that no statement joins rows of other databases: single ones are read by a
 * second select, and the elements of collections become values of {@link RowReference}. Otherwise Hibernate would join a
 * collection's rows in the shard of the owner, where they are not.
 */
public final class ForeignFetching {
    /** As many ids as a statement can contain without becoming slow; a session seldom shows more rows at a time. */
    private static final int BATCH_SIZE = 32;

    private ForeignFetching() {}

    public static void prepare(
            Metadata metadata, List<Foreign> attributes, ShardedMappings mappings, int defaultBatchSize) {
        for (Foreign attribute : attributes) {
            ManyToOne reference = Objects.requireNonNull(attribute.reference());
            PersistentClass target = metadata.getEntityBinding(reference.getReferencedEntityName());
            if (defaultBatchSize <= 1 && target.getBatchSize() <= 1) {
                target.setBatchSize(BATCH_SIZE);
            }
            Collection collection = attribute.collection();
            if (collection == null) {
                reference.setFetchMode(FetchMode.SELECT);
            } else {
                ForeignShardBinder.removeForeignKey(reference);
                collection.setElement(value(reference, target, mappings));
            }
        }
    }

    private static BasicValue value(ManyToOne reference, PersistentClass target, ShardedMappings mappings) {
        BasicValue value = new BasicValue(reference.getBuildingContext(), reference.getTable());
        for (Column column : reference.getColumns()) {
            value.addColumn(column);
        }
        Properties parameters = new Properties();
        parameters.put(RowReference.ENTITY, target.getEntityName());
        parameters.put(RowReference.CLASS, target.getMappedClass());
        parameters.put(
                RowReference.ID_TYPE, (BasicType<?>) target.getIdentifier().getType());
        parameters.put(RowReference.GLOBAL, mappings.isGlobal(target.getEntityName()));
        value.setTypeParameters(parameters);
        value.setExplicitCustomType(RowReference.class);
        return value;
    }
}
