/** Finds writes after which nothing can refuse the transaction any more, so that the write and the commit can be one round trip. */
@NullMarked
package io.github.shardedid.hibernate.internal.ending;

import org.jspecify.annotations.NullMarked;
