/** One run of the provisioner: what is checked first, and what is then changed in which order. */
@NullMarked
package io.github.shardedid.provisioning.internal.run;

import org.jspecify.annotations.NullMarked;
