/** Hibernate's persisters and batch loaders, each call in the shard of its id. */
@NullMarked
package io.github.shardedid.hibernate.internal.persister;

import org.jspecify.annotations.NullMarked;
