/** What the calls of repository methods bring along, and what they run in. */
@NullMarked
package io.github.shardedid.spring.data.call;

import org.jspecify.annotations.NullMarked;
