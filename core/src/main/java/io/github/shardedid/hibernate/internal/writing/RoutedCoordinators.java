package io.github.shardedid.hibernate.internal.writing;

import io.github.shardedid.hibernate.internal.target.EntityRouting;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.mutation.DeleteCoordinator;
import org.hibernate.persister.entity.mutation.InsertCoordinator;
import org.hibernate.persister.entity.mutation.UpdateCoordinator;
import org.jspecify.annotations.Nullable;

/**
 * The coordinators of one persister, each wrapped once. Hibernate makes its own late and asks for them at every row;
 * a race makes two equal wrappers, of which either will do.
 */
public final class RoutedCoordinators {
    private final EntityRouting routing;
    private final EntityPersister persister;
    private volatile @Nullable InsertCoordinator insert;
    private volatile @Nullable UpdateCoordinator update;
    private volatile @Nullable UpdateCoordinator merge;
    private volatile @Nullable DeleteCoordinator delete;

    public RoutedCoordinators(EntityRouting routing, EntityPersister persister) {
        this.routing = routing;
        this.persister = persister;
    }

    @Nullable
    public InsertCoordinator insert(@Nullable InsertCoordinator target) {
        InsertCoordinator wrapped = insert;
        if (wrapped == null && target != null) {
            wrapped = new RoutedInsertCoordinator(target, routing, persister);
            insert = wrapped;
        }
        return wrapped;
    }

    @Nullable
    public UpdateCoordinator update(@Nullable UpdateCoordinator target) {
        UpdateCoordinator wrapped = update;
        if (wrapped == null && target != null) {
            wrapped = new RoutedUpdateCoordinator(target, routing);
            update = wrapped;
        }
        return wrapped;
    }

    @Nullable
    public UpdateCoordinator merge(@Nullable UpdateCoordinator target) {
        UpdateCoordinator wrapped = merge;
        if (wrapped == null && target != null) {
            wrapped = new RoutedUpdateCoordinator(target, routing);
            merge = wrapped;
        }
        return wrapped;
    }

    @Nullable
    public DeleteCoordinator delete(@Nullable DeleteCoordinator target) {
        DeleteCoordinator wrapped = delete;
        if (wrapped == null && target != null) {
            wrapped = new RoutedDeleteCoordinator(target, routing);
            delete = wrapped;
        }
        return wrapped;
    }
}
