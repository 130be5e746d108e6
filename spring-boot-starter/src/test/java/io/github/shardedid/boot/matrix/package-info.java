/** What Spring Data JPA and Spring's transactions can do: the rows of {@code docs/features.md} that need Spring. */
@NullMarked
package io.github.shardedid.boot.matrix;

import org.jspecify.annotations.NullMarked;
