package io.github.shardedid.hibernate.internal.persister;

import java.util.List;
import org.hibernate.LockMode;
import org.hibernate.LockOptions;
import org.hibernate.Locking;
import org.hibernate.cache.spi.access.EntityDataAccess;
import org.hibernate.cache.spi.access.NaturalIdDataAccess;
import org.hibernate.dialect.lock.LockingStrategy;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.values.GeneratedValues;
import org.hibernate.loader.ast.spi.MultiIdLoadOptions;
import org.hibernate.loader.ast.spi.MultiNaturalIdLoader;
import org.hibernate.loader.ast.spi.NaturalIdLoader;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.metamodel.mapping.EntityMappingType;
import org.hibernate.metamodel.spi.RuntimeModelCreationContext;
import org.hibernate.persister.entity.JoinedSubclassEntityPersister;
import org.hibernate.persister.entity.mutation.DeleteCoordinator;
import org.hibernate.persister.entity.mutation.InsertCoordinator;
import org.hibernate.persister.entity.mutation.UpdateCoordinator;
import org.hibernate.query.sqm.mutation.spi.SqmMultiTableInsertStrategy;
import org.hibernate.query.sqm.mutation.spi.SqmMultiTableMutationStrategy;
import org.jspecify.annotations.Nullable;

/** Routes a hierarchy in joined tables. See {@link RoutedEntity}. */
@SuppressWarnings({"deprecation", "removal"}) // LockOptions: the signatures that Hibernate 7 calls
public class RoutedJoinedPersister extends JoinedSubclassEntityPersister {
    private final RoutedEntity routed;

    public RoutedJoinedPersister(
            PersistentClass mapping,
            @Nullable EntityDataAccess cache,
            @Nullable NaturalIdDataAccess naturalIdCache,
            RuntimeModelCreationContext context) {
        super(mapping, cache, naturalIdCache, context);
        routed = new RoutedEntity(this, context);
    }

    @Override
    public @Nullable Object load(
            Object id, @Nullable Object optional, LockOptions lock, SharedSessionContractImplementor session) {
        return routed.load(id, optional, session, () -> super.load(id, optional, lock, session));
    }

    @Override
    public @Nullable Object load(
            Object id,
            @Nullable Object optional,
            LockOptions lock,
            SharedSessionContractImplementor session,
            @Nullable Boolean readOnly) {
        return routed.load(id, optional, session, () -> super.load(id, optional, lock, session, readOnly));
    }

    @Override
    public List<?> multiLoad(Object[] ids, SharedSessionContractImplementor session, MultiIdLoadOptions options) {
        return routed.readAll(ids, session, options, part -> super.multiLoad(part, session, options));
    }

    @Override
    public NaturalIdLoader<?> getNaturalIdLoader() {
        return routed.natural(super.getNaturalIdLoader());
    }

    @Override
    public MultiNaturalIdLoader<?> getMultiNaturalIdLoader() {
        return routed.natural(super.getMultiNaturalIdLoader());
    }

    @Override
    public @Nullable Object loadByUniqueKey(
            String property,
            @Nullable Object key,
            @Nullable Boolean readOnly,
            SharedSessionContractImplementor session) {
        return routed.readByUniqueKey(
                property, key, session, () -> super.loadByUniqueKey(property, key, readOnly, session));
    }

    @Override
    protected LockingStrategy generateLocker(LockMode mode, Locking.Scope scope) {
        return routed.locker(super.generateLocker(mode, scope));
    }

    @Override
    public Object @Nullable [] getDatabaseSnapshot(Object id, SharedSessionContractImplementor session) {
        return routed.read(id, session, () -> super.getDatabaseSnapshot(id, session));
    }

    @Override
    public @Nullable Object getCurrentVersion(Object id, SharedSessionContractImplementor session) {
        return routed.read(id, session, () -> super.getCurrentVersion(id, session));
    }

    @Override
    public Object forceVersionIncrement(Object id, Object version, SharedSessionContractImplementor session) {
        return routed.write(id, session, () -> super.forceVersionIncrement(id, version, session));
    }

    @Override
    public Object forceVersionIncrement(
            Object id, Object version, boolean batching, SharedSessionContractImplementor session) {
        return routed.write(id, session, () -> super.forceVersionIncrement(id, version, batching, session));
    }

    @Override
    public void processInsertGeneratedProperties(
            Object id,
            Object entity,
            Object[] state,
            @Nullable GeneratedValues values,
            SharedSessionContractImplementor session) {
        routed.at(id, session, () -> super.processInsertGeneratedProperties(id, entity, state, values, session));
    }

    @Override
    public void processUpdateGeneratedProperties(
            Object id,
            Object entity,
            Object[] state,
            @Nullable GeneratedValues values,
            SharedSessionContractImplementor session) {
        routed.at(id, session, () -> super.processUpdateGeneratedProperties(id, entity, state, values, session));
    }

    @Override
    public @Nullable Object initializeLazyProperty(
            String attribute, Object entity, SharedSessionContractImplementor session) {
        return routed.readOf(entity, session, () -> super.initializeLazyProperty(attribute, entity, session));
    }

    @Override
    public @Nullable Object initializeEnhancedEntityUsedAsProxy(
            Object entity, @Nullable String attribute, SharedSessionContractImplementor session) {
        return routed.readOf(
                entity, session, () -> super.initializeEnhancedEntityUsedAsProxy(entity, attribute, session));
    }

    @Override
    public Object createProxy(Object id, @Nullable SharedSessionContractImplementor session) {
        return routed.reference(id, session, super.createProxy(id, session));
    }

    @Override
    public EntityMappingType resolveConcreteProxyTypeForId(Object id, SharedSessionContractImplementor session) {
        return isConcreteProxy()
                ? routed.concreteType(id, session, () -> super.resolveConcreteProxyTypeForId(id, session))
                : this;
    }

    @Override
    public @Nullable InsertCoordinator getInsertCoordinator() {
        return routed.insert(super.getInsertCoordinator());
    }

    @Override
    public @Nullable UpdateCoordinator getUpdateCoordinator() {
        return routed.update(super.getUpdateCoordinator());
    }

    @Override
    public @Nullable UpdateCoordinator getMergeCoordinator() {
        return routed.merge(super.getMergeCoordinator());
    }

    @Override
    public @Nullable DeleteCoordinator getDeleteCoordinator() {
        return routed.delete(super.getDeleteCoordinator());
    }

    @Override
    public @Nullable SqmMultiTableMutationStrategy getSqmMultiTableMutationStrategy() {
        return routed.guard(super.getSqmMultiTableMutationStrategy());
    }

    @Override
    public @Nullable SqmMultiTableInsertStrategy getSqmMultiTableInsertStrategy() {
        return routed.guardInserts(super.getSqmMultiTableInsertStrategy());
    }
}
