/** Tests of the error responses. */
@NullMarked
package io.github.shardedid.example.problem;

import org.jspecify.annotations.NullMarked;
