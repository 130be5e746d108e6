package io.github.shardedid.ecosystem;

import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Table;

/** An aggregate of Spring Data JDBC; the default of its column generates the id. */
@Table("ledger")
record Entry(@Id @Nullable Long id, String text) {}
