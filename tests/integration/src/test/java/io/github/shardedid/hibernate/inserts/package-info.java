/** HQL inserts into entities of several tables. */
@NullMarked
package io.github.shardedid.hibernate.inserts;

import org.jspecify.annotations.NullMarked;
