/** Tenants of Hibernate that are shard keys: sessions then know their shard. Hooked in by {@code routing.SessionShards}. */
@NullMarked
package io.github.shardedid.hibernate.internal.tenants;

import org.jspecify.annotations.NullMarked;
