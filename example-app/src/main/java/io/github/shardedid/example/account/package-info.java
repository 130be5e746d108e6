/** The account of a user: all rows that live with it, wherever the tables are. */
@NullMarked
package io.github.shardedid.example.account;

import org.jspecify.annotations.NullMarked;
