/**
 * Ids as clients see them: in decimal, or as the short text of links. Which properties and parameters hold ids is said by
 * {@link io.github.shardedid.spring.id.IdOf}, where nothing else says it.
 */
@NullMarked
package io.github.shardedid.spring.id;

import org.jspecify.annotations.NullMarked;
