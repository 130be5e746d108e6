/** Sample users and photos, created at the first start so that the pages are not empty. */
@NullMarked
package io.github.shardedid.example.sample;

import org.jspecify.annotations.NullMarked;
