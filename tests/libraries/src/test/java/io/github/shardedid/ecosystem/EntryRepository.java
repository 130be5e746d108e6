package io.github.shardedid.ecosystem;

import org.springframework.data.repository.ListCrudRepository;

/** Spring Data JDBC. */
interface EntryRepository extends ListCrudRepository<Entry, Long> {}
