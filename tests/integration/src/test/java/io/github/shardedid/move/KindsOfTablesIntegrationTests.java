package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardRanges;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each kind of table moves in each way, while it is written. The mover's role is no superuser. */
@Tag("since-16") // The role pg_create_subscription is needed.
@Tag("slow")
@Tag("embedded-only")
class KindsOfTablesIntegrationTests {
    private static final String ROLE = "kinds_mover";

    private final ServerAsRole first = ServerAsRole.on(PostgresServers.shared(1), ROLE);
    private final ServerAsRole second = ServerAsRole.on(PostgresServers.shared(2), ROLE);
    private final TestDatabase pg1 = first.newDatabase();
    private final TestDatabase pg2 = second.newDatabase();
    private final ClusterDefinition definition =
            new ClusterDefinition(IdLayout.DEFAULT, 2, Map.of("pg1", ShardRanges.of(0), "pg2", ShardRanges.of(1)));
    private final int release = (int) pg1.queryLong("SELECT current_setting('server_version_num')::int / 10000");

    @TempDir
    private Path scripts;

    private void provision() throws IOException {
        Files.writeString(scripts.resolve("V1__kinds.sql"), statements(KindOfTable::create));
        for (TestDatabase database : List.of(first.owned(pg1), second.owned(pg2))) {
            database.execute("ALTER ROLE " + ROLE + " REPLICATION; GRANT pg_create_subscription TO " + ROLE);
        }
        new Provisioner(definition, sources(), migrations()).provision();
    }

    @AfterEach
    void drop() {
        pg1.drop();
        pg2.drop();
    }

    private interface Part {
        String of(KindOfTable kind);
    }

    private String statements(Part part) {
        return KindOfTable.ALL.stream()
                .filter(kind -> kind.since() <= release)
                .map(part::of)
                .collect(Collectors.joining(";\n"));
    }

    private ShardMigrations migrations() {
        return ShardMigrations.at("filesystem:" + scripts);
    }

    private Map<String, DataSource> sources() {
        return new TreeMap<>(Map.of("pg1", pg1.dataSource(), "pg2", pg2.dataSource()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachKindMovesWhileItIsWritten(boolean offline) throws IOException {
        provision();
        String path = "SET search_path = shard_0000;\n";
        pg1.execute(path + statements(KindOfTable::write));
        MoveStep during = offline ? MoveStep.PREPARE : MoveStep.CATCH_UP;
        AtomicReference<String> changed = new AtomicReference<>("not changed");
        MoveOptions options = MoveOptions.DEFAULT.withListener(progress -> {
            if (progress.step() == during && changed.compareAndSet("not changed", "failed")) {
                pg1.execute(path + statements(KindOfTable::change));
                changed.set("changed");
            }
        });
        ShardMover mover = new ShardMover(definition, sources(), migrations(), options);
        assertThat(mover.check(0, "pg2")).isEmpty();

        Move move = offline ? mover.moveOffline(0, "pg2") : mover.move(0, "pg2");

        assertThat(move.step()).isEqualTo(MoveStep.DONE);
        assertThat(changed).hasValue("changed");
        Map<String, List<String>> before = rows(pg1, "shard_0000_fenced_1");
        assertThat(before).hasSizeGreaterThan(KindOfTable.ALL.size() - 2);
        assertThat(rows(pg2, "shard_0000")).isEqualTo(before);
    }

    /** The rows of each table as text, without those of other tables that inherit from it. */
    private static Map<String, List<String>> rows(TestDatabase database, String schema) {
        Map<String, List<String>> rows = new TreeMap<>();
        for (String table :
                database.query("SELECT quote_ident(relname) FROM pg_class WHERE relkind = 'r' AND relnamespace = '"
                        + schema + "'::regnamespace AND relname !~ '^(flyway|sharded_id)'")) {
            rows.put(table, database.query("SELECT t::text FROM ONLY " + schema + "." + table + " t ORDER BY 1"));
        }
        return rows;
    }
}
