/**
 * Entities and repositories with the mappings of Spring's PetClinic, after the changes that docs/petclinic.md describes: a superclass
 * with the id, collections without a reference back, many-to-many, pages over all owners.
 */
@NullMarked
package io.github.shardedid.boot.clinic;

import org.jspecify.annotations.NullMarked;
