/** Photos with their likes and comments. A photo and everything that belongs to it is stored in its author's shard. The
 * users who like or comment may be in any shard. */
@NullMarked
package io.github.shardedid.example.photo;

import org.jspecify.annotations.NullMarked;
