/**
 * Analyzers of failed starts: what happened, and which property, database or mapping to correct.
 */
@NullMarked
package io.github.shardedid.boot.diagnostics;

import org.jspecify.annotations.NullMarked;
