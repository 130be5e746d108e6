/** The mappings of an application without shards, read as if it had some. */
@NullMarked
package io.github.shardedid.hibernate.internal.rehearsal;

import org.jspecify.annotations.NullMarked;
