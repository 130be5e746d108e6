package io.github.shardedid.provisioning;

/**
 * Is told how far provisioning has come. Called by the threads that work, several at once, every few seconds and at each end: it
 * must be quick and safe for use by several threads. What it throws ends the work.
 */
@FunctionalInterface
public interface ProvisioningListener {
    /**
     * Takes a look.
     *
     * @param progress how far one kind of work has come in one database
     */
    void progress(ProvisioningProgress progress);

    /**
     * One that does nothing. Progress is logged all the same.
     *
     * @return the listener
     */
    static ProvisioningListener none() {
        return progress -> {};
    }
}
