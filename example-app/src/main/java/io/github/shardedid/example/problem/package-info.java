/** What goes wrong, as problem details of RFC 9457: unknown rows, names that are taken, ids that are none, and databases
 * that are down. */
@NullMarked
package io.github.shardedid.example.problem;

import org.jspecify.annotations.NullMarked;
