/** Lazy references whose class Hibernate reads: {@code @ConcreteProxy}. */
@NullMarked
package io.github.shardedid.hibernate.proxies;

import org.jspecify.annotations.NullMarked;
