/** What the databases' catalogs say of the functions and the tables of queries, and how each execution verifies it. */
@NullMarked
package io.github.shardedid.routing.internal.sql.catalog;

import org.jspecify.annotations.NullMarked;
