/**
 * The steps of provisioning: reading what a database stores, checking it against the configuration before anything is
 * changed, and the changes. Not for use by applications.
 */
@NullMarked
package io.github.shardedid.provisioning.internal;

import org.jspecify.annotations.NullMarked;
