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

    /** Ids that the database returned one by one. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Listed(long[] ids) implements ReservedIds {
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
     * All ids of consecutive timestamps, except that the last one may be incomplete. Its size in memory does not depend on the number
     * of ids; there is one block for each shard and table.
     *
     * @param perTimestamp how many ids each timestamp has
     * @param lowBits how many bits an id has below its timestamp
     */
    record Block(long first, long perTimestamp, int lowBits, int size) implements ReservedIds {
        @Override
        public long get(int index) {
            return first + ((index / perTimestamp) << lowBits) + index % perTimestamp;
        }
    }
}
