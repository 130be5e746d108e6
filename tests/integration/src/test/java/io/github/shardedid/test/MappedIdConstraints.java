package io.github.shardedid.test;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.CheckedStart;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A start of plain Hibernate after which all columns with ids have constraints, as the starter arranges it. */
record MappedIdConstraints(Provisioner provisioner) implements CheckedStart {
    static MappedIdConstraints of(TestCluster cluster) {
        return new MappedIdConstraints(
                new Provisioner(cluster.definition(), cluster.directSources(), ShardMigrations.none()));
    }

    @Override
    public @Nullable Integer shard() {
        return null;
    }

    @Override
    public @Nullable ShardedIdException failure() {
        return null;
    }

    @Override
    public boolean lacksMigrations() {
        return false;
    }

    @Override
    public void check(Runnable check) {
        check.run();
    }

    @Override
    public void colocated(Map<String, Set<String>> columns) {
        provisioner.withColocated(columns).constrain(Set.of());
    }

    @Override
    public void complete() {}
}
