package io.github.shardedid.hibernate.internal.writing;

import io.github.shardedid.hibernate.internal.target.Sharding;
import io.github.shardedid.routing.ShardContext;
import org.hibernate.event.spi.PersistContext;
import org.hibernate.event.spi.PersistEvent;
import org.hibernate.event.spi.PersistEventListener;

/** Persists what is reached by cascade in the shard of the owner that it is reached from. */
public record CascadingPersistListener(Sharding sharding, PersistEventListener next) implements PersistEventListener {
    @Override
    public void onPersist(PersistEvent event) {
        next.onPersist(event);
    }

    @Override
    public void onPersist(PersistEvent event, PersistContext created) {
        try (ShardContext.Scope scope = sharding.mappings()
                .cascadeOwners()
                .open(sharding, event.getSession(), event.getEntityName(), event.getObject())) {
            next.onPersist(event, created);
        }
    }
}
