package io.github.shardedid.hibernate.internal.ending;

import org.hibernate.persister.entity.mutation.MutationCoordinator;

/** A coordinator that lets another one write, and adds no statement of its own. */
public interface WrappingCoordinator {
    MutationCoordinator target();
}
