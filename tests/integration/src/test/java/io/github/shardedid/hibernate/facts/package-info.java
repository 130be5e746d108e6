/** What Hibernate knows of the databases. */
@NullMarked
package io.github.shardedid.hibernate.facts;

import org.jspecify.annotations.NullMarked;
