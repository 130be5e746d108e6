package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Takes PostgreSQL's word for it: the statistics of each server, which a session writes at the latest when it ends. */
@Tag("slow")
class OneServerIsAskedIntegrationTests extends OnThreeServers {
    private static final int READS = 40;

    @AfterEach
    void everyPoolHasNoticedThatItsSessionsAreGone() {
        for (int i = 0; i < READS; i++) {
            String name = "probe-" + i;
            await().until(() -> api().get("/users?name=" + name).status() == 404);
        }
    }

    @Test
    void readingAPhotoTouchesItsShardAndNoOtherOnAnyServer() {
        String photo = api().post(
                        "/photos",
                        "{\"author\": \"%s\", \"caption\": \"Watched\", \"location\": 3}"
                                .formatted(api().user(newName())))
                .expecting(201)
                .text("id");
        long id = Long.parseLong(photo);
        Map<String, Long> before = scansByDatabaseAndSchema();

        await().until(() -> api().get("/photos/" + photo).status() == 200);
        for (int i = 1; i < READS; i++) {
            assertThat(api().get("/photos/" + photo).expecting(200).text("location"))
                    .isEqualTo("Soglio");
        }

        Map<String, Long> touched = scansByDatabaseAndSchema();
        before.forEach((schema, scans) -> touched.merge(schema, -scans, Long::sum));
        touched.values().removeIf(scans -> scans == 0);
        String home = DATABASES.homeOf(id) + " " + Databases.schemaOf(id);
        assertThat(touched).containsOnlyKeys(home, DATABASES.homeOf(id) + " sharded_global");
        // The photo, its author, its comments, and its likes twice. A read over an ended session may add one.
        assertThat(touched.get(home)).isBetween(5L * READS, 5L * READS + 5);
    }

    private static Map<String, Long> scansByDatabaseAndSchema() {
        Map<String, Long> scans = new TreeMap<>();
        DATABASES.byName().forEach((name, database) -> {
            endSessionsOfTheApplication(name);
            database.query("SELECT schemaname || ' ' || sum(seq_scan + coalesce(idx_scan, 0)) FROM pg_stat_user_tables"
                            + " WHERE schemaname LIKE 'shard\\_%' OR schemaname = 'sharded_global' GROUP BY schemaname")
                    .forEach(row -> scans.put(name + " " + row.split(" ", -1)[0], Long.valueOf(row.split(" ", -1)[1])));
        });
        return scans;
    }

    /** New ones may come at once, and have no part in what was counted before. */
    private static void endSessionsOfTheApplication(String name) {
        String application = " FROM pg_stat_activity WHERE datname = current_database()"
                + " AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
        List<String> sessions = DATABASES.named(name).query("SELECT pid" + application);
        DATABASES.named(name).query("SELECT pg_terminate_backend(pid)" + application);
        await().until(() ->
                DATABASES.named(name).query("SELECT pid" + application).stream().noneMatch(sessions::contains));
    }
}
