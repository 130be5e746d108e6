/** What Spring Data knows of a repository: what implements its methods, and which persistence unit it uses. */
@NullMarked
package io.github.shardedid.spring.data.metadata;

import org.jspecify.annotations.NullMarked;
