/** What annotations of other projects mean for the routes of repository methods. */
@NullMarked
package io.github.shardedid.spring.data.caching;

import org.jspecify.annotations.NullMarked;
