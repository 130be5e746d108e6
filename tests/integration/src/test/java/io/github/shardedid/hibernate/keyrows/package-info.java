/** The rows of one key. */
@NullMarked
package io.github.shardedid.hibernate.keyrows;

import org.jspecify.annotations.NullMarked;
