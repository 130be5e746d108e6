package io.github.shardedid.id;

/** The unit of an id's timestamp field. */
public enum TimestampUnit {
    /** One step is one millisecond: the published 41·13·10 layout. */
    MILLISECONDS(1),
    /** One step is one second: the 32-bit variant 25·2·5. */
    SECONDS(1000);

    private final int millis;

    TimestampUnit(int millis) {
        this.millis = millis;
    }

    /**
     * The length of one step.
     *
     * @return milliseconds per step: 1 or 1000
     */
    public int millis() {
        return millis;
    }
}
