package io.github.shardedid.boot.migration;

import io.github.shardedid.provisioning.Provisioner;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Provisions or checks the databases, and adds constraints on the columns with ids that session factories have. */
public final class ShardProvisioning {
    private final boolean enabled;
    private Provisioner provisioner;
    private @Nullable Map<String, String> skipped;

    /**
     * Asks no database yet.
     *
     * @param provisioner provisions the databases
     * @param enabled whether it may; otherwise it only checks them
     */
    public ShardProvisioning(Provisioner provisioner, boolean enabled) {
        this.provisioner = provisioner;
        this.enabled = enabled;
    }

    /**
     * Provisions or checks the databases.
     *
     * @return the databases that could not be reached, each with the reason
     */
    public synchronized Map<String, String> provision() {
        Map<String, String> unreachable = enabled ? provisioner.provision() : provisioner.check();
        skipped = unreachable;
        return unreachable;
    }

    /**
     * Adds missing constraints; none if the databases are not provisioned by this, since the shard map comes from elsewhere.
     *
     * @param columns by table, those with ids of the row's own shard
     */
    public synchronized void constrain(Map<String, Set<String>> columns) {
        provisioner = provisioner.withColocated(columns);
        if (enabled && skipped != null) {
            provisioner.constrain(skipped.keySet());
        }
    }
}
