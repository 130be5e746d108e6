/**
 * The algebra of ids: which bits of a 64-bit id say when, where and in what order a row was made. Pure values that use
 * nothing but the JDK.
 */
@NullMarked
package io.github.shardedid.id;

import org.jspecify.annotations.NullMarked;
