/** Plain Hibernate, without Spring, on sharded databases. Entities are filled by Hibernate, so nulls are not tracked here. */
@NullUnmarked
package io.github.shardedid.hibernate;

import org.jspecify.annotations.NullUnmarked;
