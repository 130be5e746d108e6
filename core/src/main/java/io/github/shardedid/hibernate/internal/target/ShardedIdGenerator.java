package io.github.shardedid.hibernate.internal.target;

import io.github.shardedid.hibernate.internal.mapping.ShardedIdTypes;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappingReader;
import io.github.shardedid.generator.IdSequence;
import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import java.sql.SQLException;
import java.util.EnumSet;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.dialect.Dialect;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.generator.OnExecutionGenerator;
import org.hibernate.id.BulkInsertionCapableIdentifierGenerator;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/**
 * Hibernate's side of {@link ShardedId}: chooses the shard of the new row and has the id made for it, before the insert or
 * by it. Hibernate makes two of these per entity, so what it keeps is only a view; sources of ids are kept by {@link Sharding}.
 */
public final class ShardedIdGenerator
        implements BeforeExecutionGenerator,
                OnExecutionGenerator,
                BulkInsertionCapableIdentifierGenerator,
                AnnotationBasedGenerator<ShardedId> {
    /** Set by Spring while it looks at the entities to generate code: there is no data source then, and no id to make. */
    private static final String AHEAD_OF_TIME = "spring.aot.processing";

    private final boolean global;
    private final IdStrategy strategy;
    private final String sequence;
    private final boolean ofInt;
    private final String place;

    /** Asked for with the first id, since sources of ids are made with it. */
    private volatile @Nullable IdSequence ids;

    /** Called by Hibernate at start-up. */
    public ShardedIdGenerator(ShardedId annotation, GeneratorCreationContext context) {
        RootClass root = context.getRootClass();
        place = root.getEntityName() + "." + context.getProperty().getName();
        global = ShardedMappingReader.isDeclaredGlobal(root);
        strategy = strategy(annotation);
        sequence = sequence(annotation.sequence(), root.getRootTable(), context.getValue());
        ofInt = ShardedIdTypes.isInt(context.getType().getReturnedClass());
    }

    private IdStrategy strategy(ShardedId annotation) {
        // COLUMN_DEFAULT needs a dialect that can return what an insert makes, which the one used then cannot.
        if (Boolean.getBoolean(AHEAD_OF_TIME)) {
            return IdStrategy.DATABASE;
        }
        return global ? IdStrategy.COLUMN_DEFAULT : annotation.strategy();
    }

    /** The named sequence, else that of the table's id column. */
    public static String sequence(String named, Table table, Value id) {
        return named.isEmpty() ? table.getName() + "_" + id.getColumns().get(0).getName() + "_seq" : named;
    }

    /** All is read in the constructor, for Hibernate calls both. It wraps what is thrown there, but not what is thrown here. */
    @Override
    public void initialize(ShardedId annotation, GeneratorCreationContext context) {
        Sharding sharding = Sharding.of(context.getServiceRegistry());
        if (global || (sharding == null && Boolean.getBoolean(AHEAD_OF_TIME))) {
            return;
        } else if (sharding == null) {
            throw new ShardedIdMappingException("The id " + place + " has @ShardedId, but Hibernate's data source is no"
                    + " RoutingDataSource. Configure one, or add the Spring Boot starter.");
        }
        if (context.getRootClass().getIdentifier() instanceof Component) {
            throw new ShardedIdMappingException(
                    "The id " + place + " with @ShardedId is part of a composite id. A sharded id"
                            + " is a single Long: make it the whole id and the other columns ordinary attributes.");
        }
        IdLayout layout = sharding.cluster().layout();
        Class<?> type = context.getType().getReturnedClass();
        if (!ShardedIdTypes.hold(layout, type)) {
            throw new ShardedIdMappingException("The id " + place + " with @ShardedId is of type " + type.getName()
                    + ". Ids of the layout (" + layout + ") need " + ShardedIdTypes.text(layout) + ".");
        }
        if (strategy == IdStrategy.JVM && layout.jvmNodes() == 0) {
            throw new ShardedIdMappingException(
                    "The id " + place + " is to be made by the JVM, but the layout (" + layout
                            + ") leaves it no values (jvm-nodes is 0). Use the strategy DATABASE or COLUMN_DEFAULT for it.");
        }
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        if (currentValue != null && !isUnset(currentValue)) {
            return currentValue;
        }
        Sharding sharding = Sharding.require(session.getFactory());
        int shard = ShardChoice.shardOfNew(sharding, owner, session);
        new Home(shard)
                .declareWrite(
                        session,
                        () -> "a new " + session.getEntityPersister(null, owner).getEntityName());
        try {
            long id = ids(sharding)
                    .next(
                            shard,
                            session.getJdbcCoordinator().getLogicalConnection().getPhysicalConnection());
            return ofInt ? (Object) Math.toIntExact(id) : (Object) id;
        } catch (SQLException e) {
            throw session.getJdbcServices()
                    .getSqlExceptionHelper()
                    .convert(e, "No id for " + place + " from the sequence " + sequence + " of shard " + shard);
        }
    }

    private IdSequence ids(Sharding sharding) {
        IdSequence known = ids;
        if (known == null) {
            known = sharding.ids(strategy).sequence(sequence);
            ids = known;
        }
        return known;
    }

    private static boolean isUnset(Object id) {
        return id instanceof Number number && number.longValue() == 0;
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }

    @Override
    public boolean allowAssignedIdentifiers() {
        return true;
    }

    @Override
    public boolean generatedOnExecution() {
        return strategy == IdStrategy.COLUMN_DEFAULT;
    }

    @Override
    public boolean generatedOnExecution(Object entity, SharedSessionContractImplementor session) {
        return generatedOnExecution() && !hasId(entity, session);
    }

    @Override
    public boolean generatedBeforeExecution(Object entity, SharedSessionContractImplementor session) {
        return !generatedOnExecution(entity, session);
    }

    private static boolean hasId(Object entity, SharedSessionContractImplementor session) {
        Object id = session.getEntityPersister(null, entity).getIdentifier(entity, session);
        return id != null && !isUnset(id);
    }

    @Override
    public boolean referenceColumnsInSql(Dialect dialect) {
        return false;
    }

    @Override
    public boolean writePropertyValue() {
        return false;
    }

    @Override
    public String @Nullable [] getReferencedColumnValues(Dialect dialect) {
        return null;
    }

    @Override
    public boolean supportsBulkInsertionIdentifierGeneration() {
        return !global;
    }

    @Override
    public @Nullable String determineBulkInsertionIdentifierGenerationSelectFragment(
            SqlStringGenerationContext context) {
        String schema = RoutingDataSource.SCHEMA_PLACEHOLDER;
        return schema + ".next_id('" + schema + "." + sequence + "')";
    }
}
