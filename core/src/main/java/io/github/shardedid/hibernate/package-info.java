/**
 * Hibernate: the annotations that an application types, ids for new entities, and the guards that keep every row where
 * its id says.
 */
@NullMarked
package io.github.shardedid.hibernate;

import org.jspecify.annotations.NullMarked;
