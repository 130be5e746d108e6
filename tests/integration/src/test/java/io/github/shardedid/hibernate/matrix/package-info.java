/** What Hibernate can do, and JPA: the rows of {@code docs/features.md} that need no Spring. */
@NullMarked
package io.github.shardedid.hibernate.matrix;

import org.jspecify.annotations.NullMarked;
