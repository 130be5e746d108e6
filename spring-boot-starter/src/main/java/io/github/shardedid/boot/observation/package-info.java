/**
 * What sharded-id does itself, as observations of Micrometer: spans where the application traces, and timers where it measures. Needs
 * Micrometer's observation API, and nothing of Spring.
 */
@NullMarked
package io.github.shardedid.boot.observation;

import org.jspecify.annotations.NullMarked;
