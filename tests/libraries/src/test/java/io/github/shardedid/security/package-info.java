/** An application whose users log in by a name that exists once in the cluster. */
@NullMarked
package io.github.shardedid.security;

import org.jspecify.annotations.NullMarked;
