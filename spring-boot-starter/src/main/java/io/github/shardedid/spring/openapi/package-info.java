/** Sharded ids in OpenAPI documents: strings with a pattern, as clients see them. */
@NullMarked
package io.github.shardedid.spring.openapi;

import org.jspecify.annotations.NullMarked;
