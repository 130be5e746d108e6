/** Tests of what the artifact may use. */
@NullMarked
package io.github.shardedid.boot.rehearsal;

import org.jspecify.annotations.NullMarked;
