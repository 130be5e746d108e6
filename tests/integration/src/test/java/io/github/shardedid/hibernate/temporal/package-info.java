/** Entities whose earlier states Hibernate keeps. */
@NullMarked
package io.github.shardedid.hibernate.temporal;

import org.jspecify.annotations.NullMarked;
