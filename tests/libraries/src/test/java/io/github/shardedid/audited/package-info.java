/** Audited entities of session factories that the application does not have. */
@NullMarked
package io.github.shardedid.audited;

import org.jspecify.annotations.NullMarked;
