package io.github.shardedid.boot.differential;

import java.util.List;
import java.util.function.Supplier;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.AbstractCollectionEvent;
import org.hibernate.event.spi.EventType;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.jpa.boot.spi.IntegratorProvider;

/** Notes what the plain side writes. */
record PlainHibernate(Numbers numbers, Supplier<Written> written) implements Integrator, IntegratorProvider {
    @Override
    public List<Integrator> getIntegrators() {
        return List.of(this);
    }

    @Override
    public void integrate(Metadata metadata, BootstrapContext context, SessionFactoryImplementor factory) {
        EventListenerRegistry listeners = factory.getEventEngine().getListenerRegistry();
        listeners.appendListeners(EventType.PRE_INSERT, event -> {
            written.get().row(event.getId(), event.getState());
            written.get().keyed(event.getId(), event.getEntity(), event.getState());
            return false;
        });
        listeners.appendListeners(EventType.PRE_UPDATE, event -> {
            written.get().row(event.getId(), event.getState());
            written.get().keyed(event.getId(), event.getEntity(), event.getState());
            return false;
        });
        listeners.appendListeners(EventType.PRE_DELETE, event -> {
            written.get().row(event.getId(), new Object[0]);
            return false;
        });
        listeners.appendListeners(EventType.PRE_COLLECTION_RECREATE, this::collection);
        listeners.appendListeners(EventType.PRE_COLLECTION_REMOVE, this::collection);
        listeners.appendListeners(EventType.PRE_COLLECTION_UPDATE, this::collection);
    }

    private void collection(AbstractCollectionEvent event) {
        PersistentCollection<?> collection = event.getCollection();
        if (event.getAffectedOwnerIdOrNull() instanceof Long owner && Numbers.LAYOUT.isId(owner)) {
            int shard = Numbers.LAYOUT.shardOf(owner);
            written.get().possible.add(shard);
            if (collection.wasInitialized() && collection instanceof Iterable<?> elements) {
                elements.forEach(element -> {
                    if (element instanceof Row row) {
                        written.get().refers(shard, Text.idOf(row));
                    }
                });
            }
        }
    }
}
