package io.github.shardedid.generator;

/** The rules of leases.sql, by the same names. */
enum LeaseRule {
    WINDOW_AFTER_PREVIOUS,
    RENEWAL_BY_HOLDER,
    RELEASE_AFTER_LAST_ID,
    RELEASE_BY_HOLDER,
    AFTER_LOST_LEASES,
    AFTER_OTHER_DIVISION,
    ONE_DIVISION
}
