/** What Hibernate would read from a connection when it starts, given without one: a database may be down. */
@NullMarked
package io.github.shardedid.hibernate.internal.environment;

import org.jspecify.annotations.NullMarked;
