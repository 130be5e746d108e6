/** A shop, and its tests by the test kit, which are the tests of the test kit. */
@NullMarked
package io.github.shardedid.boot.test;

import org.jspecify.annotations.NullMarked;
