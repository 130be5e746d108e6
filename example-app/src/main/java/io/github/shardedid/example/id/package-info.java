/** Ids as clients see them: decimal text, since JavaScript rounds large numbers, or the short text form of links. The bits
 * of any id can be looked at. */
@NullMarked
package io.github.shardedid.example.id;

import org.jspecify.annotations.NullMarked;
