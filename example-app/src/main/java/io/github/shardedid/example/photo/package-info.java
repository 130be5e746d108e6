/** Photos with their likes and comments. A photo lives in its author's shard, and what belongs to it lives there, too; the
 * users who like or comment may live anywhere. */
@NullMarked
package io.github.shardedid.example.photo;

import org.jspecify.annotations.NullMarked;
