package io.github.shardedid.hibernate.internal.routing;

import io.github.shardedid.generator.IdSequence;
import io.github.shardedid.hibernate.IdStrategy;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.hibernate.UnshardedUnitException;
import io.github.shardedid.hibernate.internal.mapping.EntityIds;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.Target;
import java.sql.SQLException;
import java.util.EnumSet;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.cfg.PersistenceSettings;
import org.hibernate.dialect.Dialect;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.config.spi.StandardConverters;
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
import org.jspecify.annotations.Nullable;

/**
 * The id generator of {@link ShardedId}: chooses the shard of the new row, and generates the id before the insert or leaves it to
 * the column's default. Hibernate creates two generators per entity, so {@link Sharding} holds the sources of ids.
 */
public final class ShardedIdGenerator
        implements BeforeExecutionGenerator,
                OnExecutionGenerator,
                BulkInsertionCapableIdentifierGenerator,
                AnnotationBasedGenerator<ShardedId> {
    /** Set by Spring during ahead-of-time processing, when there is no data source. */
    private static final String AHEAD_OF_TIME = "spring.aot.processing";

    private final boolean global;
    private final boolean rehearsed;
    private final IdStrategy strategy;
    private final String sequence;
    private final boolean ofInt;
    private final String attribute;

    /** Created with the first id. */
    private volatile @Nullable IdSequence ids;

    /** Called by Hibernate at start-up. */
    public ShardedIdGenerator(ShardedId annotation, GeneratorCreationContext context) {
        RootClass root = context.getRootClass();
        attribute = root.getEntityName() + "." + context.getProperty().getName();
        global = EntityIds.isDeclaredGlobal(root);
        rehearsed = isRehearsed(context);
        strategy = strategy(annotation);
        sequence = EntityIds.sequence(annotation.sequence(), root.getRootTable(), context.getValue());
        ofInt = EntityIds.isInt(context.getType().getReturnedClass());
    }

    private IdStrategy strategy(ShardedId annotation) {
        // COLUMN_DEFAULT needs a dialect that returns generated values; the one of ahead-of-time processing does not.
        if (Boolean.getBoolean(AHEAD_OF_TIME)) {
            return IdStrategy.DATABASE;
        }
        return global || rehearsed ? IdStrategy.COLUMN_DEFAULT : annotation.strategy();
    }

    /** Without shards; the column's default is what the table has. */
    private static boolean isRehearsed(GeneratorCreationContext context) {
        return Sharding.of(context.getServiceRegistry()) == null
                && context.getServiceRegistry()
                        .requireService(ConfigurationService.class)
                        .getSettings()
                        .containsKey(ShardingSettings.REHEARSAL);
    }

    /** Only checks: Hibernate wraps exceptions of the constructor, but not those of this method. */
    @Override
    public void initialize(ShardedId annotation, GeneratorCreationContext context) {
        Sharding sharding = Sharding.of(context.getServiceRegistry());
        if (global || rehearsed || (sharding == null && Boolean.getBoolean(AHEAD_OF_TIME))) {
            return;
        } else if (sharding == null) {
            throw unsharded(context);
        }
        if (context.getRootClass().getIdentifier() instanceof Component) {
            throw new ShardedIdMappingException(
                    "The id " + attribute + " with @ShardedId is part of a composite id. A sharded id"
                            + " is a single Long: make it the whole id and the other columns ordinary attributes.");
        }
        EntityIds.check(sharding.cluster().layout(), context.getType().getReturnedClass(), strategy, attribute);
    }

    private UnshardedUnitException unsharded(GeneratorCreationContext context) {
        String unit = context.getServiceRegistry()
                .requireService(ConfigurationService.class)
                .getSetting(PersistenceSettings.PERSISTENCE_UNIT_NAME, StandardConverters.STRING);
        return new UnshardedUnitException("The id " + attribute + " has @ShardedId, but the data source of "
                + (unit == null ? "its session factory" : "the persistence unit \"" + unit + "\"")
                + " is not a RoutingDataSource. If its rows are in the shards, give it the sharded data source, which the Spring"
                + " Boot starter creates if sharded-id.databases names databases. If it reads other tables, such as those"
                + " before the adoption, limit its packages to classes without @ShardedId, and read those tables by classes of"
                + " their own, or by JDBC.");
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
        DeclaredWrites.declare(
                session,
                Target.shard(shard),
                () -> RowTargets.newRow(
                        sharding, session.getEntityPersister(null, owner).getEntityName()));
        try {
            long id = ids(sharding)
                    .next(
                            shard,
                            session.getJdbcCoordinator().getLogicalConnection().getPhysicalConnection());
            return ofInt ? (Object) Math.toIntExact(id) : (Object) id;
        } catch (SQLException e) {
            throw session.getJdbcServices()
                    .getSqlExceptionHelper()
                    .convert(
                            e,
                            "No id could be generated for " + attribute + " from the sequence " + sequence
                                    + " of shard " + shard);
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
        return !global && !rehearsed;
    }

    @Override
    public @Nullable String determineBulkInsertionIdentifierGenerationSelectFragment(
            SqlStringGenerationContext context) {
        String schema = RoutingDataSource.SCHEMA_PLACEHOLDER;
        return schema + ".next_id('" + schema + "." + sequence + "')";
    }
}
