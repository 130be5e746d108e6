package io.github.shardedid.provisioning;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What docs/getting-started.md says about tables that have ids already. */
class DocumentedRenumberingIntegrationTests {
    private static final IdLayout LAYOUT = IdLayout.DEFAULT.withEpoch(Instant.parse("2020-01-01T00:00:00Z"));
    private static final String OLD_TABLES =
            """
            CREATE TABLE public.users (id bigserial PRIMARY KEY, name text NOT NULL, created_at timestamptz NOT NULL);
            CREATE TABLE public.photo (id bigserial PRIMARY KEY, author_id bigint NOT NULL REFERENCES public.users,
              caption text NOT NULL, created_at timestamptz NOT NULL);
            INSERT INTO public.users (name, created_at)
              SELECT 'user ' || i, '2021-01-01'::timestamptz + i % 7 * interval '1 day' FROM generate_series(1, 500) i;
            INSERT INTO public.photo (author_id, caption, created_at)
              SELECT 1 + i % 500, 'photo ' || i, '2022-01-01'::timestamptz + i * interval '0.1 ms'
              FROM generate_series(1, 5000) i;
            """;

    @Test
    void everyRowIsInTheShardThatItsNewIdNames() throws IOException {
        TestCluster cluster = TestCluster.ofOne(LAYOUT, 20);
        TestDatabase database = cluster.database("pg1");
        database.execute(OLD_TABLES);
        new Provisioner(cluster.definition(), cluster.sources(), ShardMigrations.at("classpath:db/renumbered"))
                .provision();

        String script = Files.readString(Path.of("src/test/resources/documented/renumber.sql"), StandardCharsets.UTF_8);
        // As psql does: a block that commits is sent by itself.
        int block = script.indexOf("DO $$");
        database.execute(script.substring(0, block));
        database.execute(script.substring(block));

        int users = 0;
        int photos = 0;
        for (int shard = 0; shard < 20; shard++) {
            String schema = "shard_%04d".formatted(shard);
            users += (int) database.queryLong("SELECT count(*) FROM " + schema + ".users");
            photos += (int) database.queryLong("SELECT count(*) FROM " + schema + ".photo");
            for (String table : new String[] {".users", ".photo"}) {
                assertThat(database.queryLong("SELECT count(*) FROM " + schema + table
                                + " WHERE sharded_id.shard_of(id) <> " + shard))
                        .isZero();
                assertThat(database.queryLong("SELECT count(*) FROM " + schema + table + " WHERE id >= " + schema
                                + ".next_id('" + schema + table + "_id_seq')"))
                        .as("ids of %s%s that a new one is not above", schema, table)
                        .isZero();
            }
            assertThat(database.queryLong("SELECT count(*) FROM " + schema + ".photo p JOIN " + schema
                            + ".users u ON u.id = p.author_id JOIN public.photo o ON o.caption = p.caption"
                            + " WHERE o.author_id <> u.old_id"))
                    .isZero();
        }
        assertThat(users).isEqualTo(500);
        assertThat(photos).isEqualTo(5000);
        assertThat(database.queryLong("SELECT count(*) FROM renumbered.photo a JOIN renumbered.photo b"
                        + " ON b.old = a.old + 100 WHERE a.id >= b.id"))
                .as("photos that are 10 ms younger and have a lower id")
                .isZero();
        database.drop();
    }
}
