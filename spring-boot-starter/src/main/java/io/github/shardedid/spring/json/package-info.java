/** Sharded ids in Jackson's JSON: text, since JavaScript rounds numbers beyond 2<sup>53</sup>. */
@NullMarked
package io.github.shardedid.spring.json;

import org.jspecify.annotations.NullMarked;
