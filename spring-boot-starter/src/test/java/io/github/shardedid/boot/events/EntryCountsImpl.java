package io.github.shardedid.boot.events;

import org.springframework.beans.factory.ObjectProvider;

/** Calls another method of the repository. */
class EntryCountsImpl implements EntryCounts {
    private final ObjectProvider<Entries> entries;

    EntryCountsImpl(ObjectProvider<Entries> entries) {
        this.entries = entries;
    }

    @Override
    public long countInFragment(String page) {
        return entries.getObject().countByPage(page);
    }
}
