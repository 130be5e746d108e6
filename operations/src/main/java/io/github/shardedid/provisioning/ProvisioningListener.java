package io.github.shardedid.provisioning;

/**
 * Receives the progress of provisioning. Called by several threads at once, every few seconds and at each end: it
 * must be quick and safe for use by several threads. An exception that it throws ends the work.
 */
@FunctionalInterface
public interface ProvisioningListener {
    /**
     * Receives progress.
     *
     * @param progress the progress of one kind of work in one database
     */
    void progress(ProvisioningProgress progress);

    /**
     * Returns a listener that does nothing. Progress is logged in any case.
     *
     * @return the listener
     */
    static ProvisioningListener none() {
        return progress -> {};
    }
}
