/**
 * The queries that can go to several shards: what is known to merge, and how. What the databases' catalogs say
 * of their functions and tables decides it, and each execution verifies that.
 *
 * <p>A query is accepted only if its form is known to merge correctly. A result that looks right and is not is
 * worse than a refusal, which has a way out. {@code ScatterParser} is the way in; {@code Locality} decides
 * which rows may meet, and {@code GroupSplitter} what each side of a merge computes. {@code IdConditions} and
 * {@code KeyValues} serve statements that are routed by their ids.
 */
@NullMarked
package io.github.shardedid.routing.internal.sql.query;

import org.jspecify.annotations.NullMarked;
