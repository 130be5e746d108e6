/** Attributes with {@code @ForeignShard}: checked, and changed in Hibernate's boot model so that no statement joins their rows. */
@NullMarked
package io.github.shardedid.hibernate.internal.foreign;

import org.jspecify.annotations.NullMarked;
