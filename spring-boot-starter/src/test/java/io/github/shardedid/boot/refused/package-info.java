/** An application whose repositories have methods that cannot work. */
@NullMarked
package io.github.shardedid.boot.refused;

import org.jspecify.annotations.NullMarked;
