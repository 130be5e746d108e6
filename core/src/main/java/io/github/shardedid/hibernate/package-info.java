/**
 * The integration into Hibernate: annotations for entities, ids for new rows, and checks that each row stays in the shard of its id.
 */
@NullMarked
package io.github.shardedid.hibernate;

import org.jspecify.annotations.NullMarked;
