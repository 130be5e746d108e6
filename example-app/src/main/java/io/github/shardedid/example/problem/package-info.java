/** Error responses as problem details (RFC 9457): unknown rows, duplicate names, invalid ids, and databases that are
 * down. */
@NullMarked
package io.github.shardedid.example.problem;

import org.jspecify.annotations.NullMarked;
