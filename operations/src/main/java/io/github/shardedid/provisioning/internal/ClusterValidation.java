package io.github.shardedid.provisioning.internal;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.operations.internal.FunctionSql;
import io.github.shardedid.operations.internal.Sql;
import io.github.shardedid.operations.internal.StoredCluster;
import io.github.shardedid.operations.internal.StoredShard;
import io.github.shardedid.operations.internal.Workers;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.topology.ShardRanges;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** Compares what the databases store with the configuration, before anything is changed. */
public record ClusterValidation(ClusterDefinition definition, WantedMigrations wanted) {
    private static final int OLDEST = 15;

    /** Checks all databases that could be reached; throws the exception of the first mismatch, with those of other databases suppressed. */
    void check(Collection<DatabaseState> states) {
        List<Workers.Check<RuntimeException>> checks = new ArrayList<>();
        checks.add(() -> checkDistinct(states));
        Map<String, StoredCluster> stored = new TreeMap<>();
        states.stream()
                .filter(state -> state.cluster() != null)
                .forEach(state -> stored.put(state.name(), state.cluster()));
        checks.add(() -> requireSame(stored));
        OutdatedCopies outdated = new OutdatedCopies(states);
        states.forEach(state -> checks.add(() -> check(state, outdated)));
        checks.add(() -> checkMayWork(states));
        Workers.runAll(checks);
    }

    private void check(DatabaseState state, OutdatedCopies outdated) {
        checkServer(state);
        StoredCluster stored = state.cluster();
        if (stored != null) {
            requireName(state.name(), stored);
            checkStored(state.name(), stored);
            checkFunctions(state, stored);
            checkSchemas(state, outdated);
        }
    }

    private static ProvisioningException refused(Reason reason, String message) {
        return new ProvisioningException(reason, message + " Nothing was changed.");
    }

    private static void checkDistinct(Collection<DatabaseState> states) {
        Map<String, String> names = new HashMap<>();
        states.forEach(state -> {
            String other = names.put(state.identity(), state.name());
            if (other != null) {
                throw refused(
                        Reason.WRONG_DATABASE,
                        "The databases " + other + " and " + state.name()
                                + " are the same. Correct the URL of one of them.");
            }
        });
    }

    private static void checkServer(DatabaseState state) {
        if (state.major() < OLDEST) {
            throw refused(
                    Reason.UNSUPPORTED_VERSION,
                    "Database " + state.name() + " runs on PostgreSQL " + state.major()
                            + "; the oldest supported release is " + OLDEST + ". Upgrade the server.");
        }
        if (!state.mayRead()) {
            throw refused(
                    Reason.MISSING_PRIVILEGE,
                    mayNotProvision(state)
                            + " If it is not to provision, but only to read: GRANT SELECT ON ALL TABLES IN SCHEMA sharded_id TO "
                            + Sql.name(state.user()) + ".");
        }
    }

    /**
     * Refuses databases of different clusters, and those that distribute keys differently: a key would have two shards.
     *
     * @param stored what they store, by their names
     */
    public static void requireSame(Map<String, StoredCluster> stored) {
        Map<String, UUID> clusters = new TreeMap<>();
        Map<String, Integer> keyShards = new TreeMap<>();
        stored.forEach((name, each) -> {
            clusters.put(name, each.clusterId());
            keyShards.put(name, each.keyShards());
        });
        if (Set.copyOf(clusters.values()).size() > 1) {
            throw refused(
                    Reason.WRONG_DATABASE,
                    "The configured databases belong to different clusters: " + clusters
                            + ". Configure the databases of one cluster only.");
        }
        if (Set.copyOf(keyShards.values()).size() > 1) {
            throw refused(
                    Reason.DAMAGED_DATABASE,
                    "The databases do not store the same number of shards over which keys are distributed (sharded_id.cluster.key_shards): "
                            + keyShards + ". It never changes. Find out who changed it, and put it back.");
        }
    }

    /** Refuses a database that was provisioned under another name. */
    public static void requireName(String name, StoredCluster stored) {
        if (!stored.databaseName().equals(name)) {
            throw refused(
                    Reason.WRONG_DATABASE,
                    "The database configured as " + name + " was provisioned under the name "
                            + stored.databaseName() + ". Are two URLs exchanged? Configure it as "
                            + stored.databaseName() + ".");
        }
    }

    private void checkStored(String name, StoredCluster stored) {
        if (stored.schemaVersion() != StoredCluster.CURRENT_SCHEMA_VERSION) {
            throw refused(
                    Reason.UNSUPPORTED_VERSION,
                    "Schema sharded_id of database " + name + " has version " + stored.schemaVersion()
                            + ", but this library has version " + StoredCluster.CURRENT_SCHEMA_VERSION
                            + ". Use the library with which it was provisioned, or the newer one.");
        }
        // Provisioning adds shards to a cluster that is complete; it never removes any.
        int configured = definition.shardCount();
        int there = stored.provisioned() ? Math.max(stored.shardCount(), configured) : stored.shardCount();
        Map<String, Object> here = fixed(definition.layout(), configured);
        String differences = fixed(stored.layout(), there).entrySet().stream()
                .filter(value -> !value.getValue().equals(here.get(value.getKey())))
                .map(value -> value.getKey() + " is " + value.getValue() + " there, but configured as "
                        + here.get(value.getKey()))
                .collect(Collectors.joining(", "));
        if (!differences.isEmpty()) {
            throw refused(
                    Reason.LAYOUT_MISMATCH,
                    "Database " + name + " stores other values than are configured: " + differences
                            + ". They are fixed for a cluster's life, since its ids are made of them: configure the stored values."
                            + " The number of shards can be raised once the cluster is provisioned, but never lowered.");
        }
    }

    private static void checkFunctions(DatabaseState state, StoredCluster stored) {
        Set<String> names =
                state.functions().stream().map(FunctionSql.Function::name).collect(Collectors.toSet());
        String wrong = FunctionSql.expected(stored.layout(), stored.keyShards()).stream()
                .filter(function -> !state.functions().contains(function))
                .map(function -> function.name() + (names.contains(function.name()) ? " (altered)" : " (missing)"))
                .distinct()
                .collect(Collectors.joining(", "));
        if (!wrong.isEmpty()) {
            throw refused(
                    Reason.DAMAGED_DATABASE,
                    "Functions of schema sharded_id in database " + state.name()
                            + " are not as they were provisioned: " + wrong
                            + ". Find out who changed them and whether ids were made meanwhile, then put them back from another"
                            + " database of the cluster (pg_dump -n sharded_id --schema-only).");
        }
    }

    private static void checkSchemas(DatabaseState state, OutdatedCopies outdated) {
        int[] lost = state.shards().stream()
                .filter(shard -> shard.served() && !shard.schemaExists() && !outdated.contains(state.name(), shard))
                .mapToInt(StoredShard::shard)
                .toArray();
        if (lost.length > 0) {
            throw refused(
                    Reason.DAMAGED_DATABASE,
                    "Database " + state.name() + " owns the shards " + ShardRanges.of(lost)
                            + ", but their schemas are not there. Restore them from a backup: empty ones would hide the loss"
                            + " of their rows.");
        }
    }

    private void checkMayWork(Collection<DatabaseState> states) {
        String missing = states.stream()
                .filter(state -> state.mayRead() && !state.grants().isEmpty())
                .filter(state -> state.hasWork(wanted)
                        || state.cluster() == null
                        || !state.provisioned()
                        || state.cluster().shardCount() < definition.shardCount())
                .map(ClusterValidation::mayNotProvision)
                .collect(Collectors.joining(" "));
        if (!missing.isEmpty()) {
            throw refused(Reason.MISSING_PRIVILEGE, missing);
        }
    }

    /** Says all that the user lacks at once, so that one round of grants is enough. */
    private static String mayNotProvision(DatabaseState state) {
        String owner = state.owner();
        return "User " + state.user() + " of database " + state.name() + " may not provision"
                + (owner == null ? "" : ": it is not the owner of the cluster's schemas, " + owner)
                + (state.grants().isEmpty() ? "." : ". Run there: " + String.join("; ", state.grants()) + ".")
                + (owner == null ? "" : " Or provision with the owner.");
    }

    private static Map<String, Object> fixed(IdLayout layout, int shards) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("epoch", layout.epoch());
        values.put("unit", layout.unit());
        values.put("timestamp bits", layout.timestampBits());
        values.put("shard bits", layout.shardBits());
        values.put("sequence bits", layout.sequenceBits());
        values.put("jvm-nodes", layout.jvmNodes());
        values.put("shards", shards);
        return values;
    }
}
