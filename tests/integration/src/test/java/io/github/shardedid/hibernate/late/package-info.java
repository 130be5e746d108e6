/** Shard keys that Hibernate, a listener or an interceptor sets after the shard has been chosen. */
@NullMarked
package io.github.shardedid.hibernate.late;

import org.jspecify.annotations.NullMarked;
