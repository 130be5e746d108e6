package io.github.shardedid.generator;

/** Ids in ascending order that were reserved by one statement. */
interface ReservedIds {
    ReservedIds NONE = listed();

    int size();

    /** The id at an index, from 0. */
    long get(int index);

    static ReservedIds listed(long... ids) {
        return new Listed(ids);
    }

    /** Ids that were told one by one. */
    final class Listed implements ReservedIds {
        private final long[] ids;

        private Listed(long[] ids) {
            this.ids = ids;
        }

        @Override
        public int size() {
            return ids.length;
        }

        @Override
        public long get(int index) {
            return ids[index];
        }
    }

    /**
     * All ids of some timestamps in a row, of the last one perhaps not all: what {@code next_ids} would have returned. It is as small
     * for a thousand ids as for two; there is one for each shard and table.
     *
     * @param perTimestamp how many ids of each timestamp there are
     * @param lowBits how many bits an id has below its timestamp
     */
    record Block(long first, long perTimestamp, int lowBits, int size) implements ReservedIds {
        @Override
        public long get(int index) {
            return first + ((index / perTimestamp) << lowBits) + index % perTimestamp;
        }
    }
}
