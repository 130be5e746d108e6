package io.github.shardedid.provisioning.internal;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.topology.ShardRanges;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterValidationTests {
    private final ClusterValidation validation = new ClusterValidation(
            new ClusterDefinition(IdLayout.DEFAULT, 1, Map.of("pg1", ShardRanges.of(0))), WantedMigrations.NONE);

    @Test
    void serversOlderThanPostgres15AreRefused() {
        assertThatThrownBy(() -> validation.check(List.of(onVersion(140_024))))
                .isInstanceOf(ProvisioningException.class)
                .hasFieldOrPropertyWithValue("reason", Reason.UNSUPPORTED_VERSION)
                .hasMessage(
                        "Database pg1 runs on PostgreSQL 14; the oldest supported release is 15. Upgrade the server."
                                + " Nothing was changed.");
        assertThatCode(() -> validation.check(List.of(onVersion(150_000)))).doesNotThrowAnyException();
    }

    private static DatabaseState onVersion(int number) {
        return new DatabaseState(
                "pg1", "1", number, "app", true, null, List.of(), null, Set.of(), List.of(), null, Set.of());
    }
}
