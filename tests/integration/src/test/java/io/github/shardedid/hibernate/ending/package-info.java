/** Writes that are sent together with their commit. */
@NullMarked
package io.github.shardedid.hibernate.ending;

import org.jspecify.annotations.NullMarked;
