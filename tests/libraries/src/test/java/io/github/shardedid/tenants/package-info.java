/** Applications with a tenant for each request. */
@NullMarked
package io.github.shardedid.tenants;

import org.jspecify.annotations.NullMarked;
