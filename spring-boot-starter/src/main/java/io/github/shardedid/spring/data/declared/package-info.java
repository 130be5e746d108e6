/** Where Spring Data finds the texts of declared queries. */
@NullMarked
package io.github.shardedid.spring.data.declared;

import org.jspecify.annotations.NullMarked;
