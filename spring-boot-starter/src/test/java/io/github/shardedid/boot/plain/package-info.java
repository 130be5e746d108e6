/** Plain Spring Data JPA on one database, with the starter on the class path but not configured: what is compared with. */
@NullMarked
package io.github.shardedid.boot.plain;

import org.jspecify.annotations.NullMarked;
