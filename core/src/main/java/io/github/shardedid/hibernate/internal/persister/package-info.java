/** Hibernate's persisters, listeners of a flush, batches and batch loaders, each call in the shard of its row. */
@NullMarked
package io.github.shardedid.hibernate.internal.persister;

import org.jspecify.annotations.NullMarked;
