/** An application whose ids are of 32 bits. Entities are filled by Hibernate, so nulls are not tracked here. */
@NullUnmarked
package io.github.shardedid.boot.ints;

import org.jspecify.annotations.NullUnmarked;
