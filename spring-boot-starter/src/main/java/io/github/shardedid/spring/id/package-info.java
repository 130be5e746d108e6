/**
 * Ids for clients: in decimal, or as the short text of links. {@link io.github.shardedid.spring.id.IdOf} marks properties and
 * parameters that are not otherwise known to contain ids.
 */
@NullMarked
package io.github.shardedid.spring.id;

import org.jspecify.annotations.NullMarked;
