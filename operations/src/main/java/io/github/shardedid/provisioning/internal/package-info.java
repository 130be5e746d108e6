/**
 * Reads what the databases store, and compares it with the configuration and with each other. Only outdated copies
 * are changed.
 */
@NullMarked
package io.github.shardedid.provisioning.internal;

import org.jspecify.annotations.NullMarked;
