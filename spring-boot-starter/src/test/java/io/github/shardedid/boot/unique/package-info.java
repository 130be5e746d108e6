/** An application whose customers have unique e-mail addresses. */
@NullMarked
package io.github.shardedid.boot.unique;

import org.jspecify.annotations.NullMarked;
