/** Ids in the HTTP API: decimal text, because JavaScript rounds large numbers, or the short text form of links. Decodes
 * ids for the operations page. */
@NullMarked
package io.github.shardedid.example.id;

import org.jspecify.annotations.NullMarked;
