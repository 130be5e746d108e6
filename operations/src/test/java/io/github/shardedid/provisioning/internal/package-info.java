/** Tests that look behind the provisioner's public face. */
@NullMarked
package io.github.shardedid.provisioning.internal;

import org.jspecify.annotations.NullMarked;
