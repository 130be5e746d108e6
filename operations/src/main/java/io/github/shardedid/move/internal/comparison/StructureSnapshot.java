package io.github.shardedid.move.internal.comparison;

import java.util.Map;

/**
 * The structure of a schema at one moment.
 *
 * @param objects of each object, like "table photo", what makes it: aspects like "column caption", and their values as text
 */
record StructureSnapshot(Map<String, Map<String, String>> objects) {}
