/**
 * Ids for clients: their text form in JSON, in request parameters and in OpenAPI documents.
 */
@NullMarked
package io.github.shardedid.boot.web;

import org.jspecify.annotations.NullMarked;
