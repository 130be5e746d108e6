package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.example.Databases.Found;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ManyClientsIntegrationTests extends OnThreeServers {
    private static final int USERS = 20;
    private static final int PHOTOS = 20;
    private static final int LIKES = 3;

    private final long seed = new Random().nextLong();

    @Test
    void eightClientsAtOnceLeaveEveryRowWhereItsIdSays() throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(8);
        try {
            List<String> users = all(clients, USERS, i -> () -> api().user(newName()));
            List<String> photos =
                    all(clients, USERS * PHOTOS, i -> () -> api().photo(users.get(i % USERS), "Photo " + i));
            all(clients, photos.size(), i -> () -> {
                Random random = new Random(seed + i);
                int first = random.nextInt(USERS);
                for (int like = 0; like < LIKES; like++) {
                    api().like(photos.get(i), users.get((first + like) % USERS)).expecting(201);
                }
                return "";
            });

            assertWhereTheyBelong("users", users);
            assertWhereTheyBelong("photo", photos);
            assertCountsAreComplete(users, photos);
        } finally {
            clients.shutdownNow();
        }
    }

    private void assertWhereTheyBelong(String table, List<String> acknowledged) {
        List<Found> found = DATABASES.everywhere(table);
        Set<String> ids = new HashSet<>();
        assertThat(found).as("seed %d", seed).allSatisfy(row -> {
            assertThat(row.schema()).isEqualTo(Databases.schemaOf(row.id()));
            assertThat(row.database()).isEqualTo(DATABASES.homeOf(row.id()));
            assertThat(ids.add(Long.toString(row.id()))).as("%s twice", row).isTrue();
        });
        assertThat(ids).as("seed %d", seed).containsAll(acknowledged);
        assertThat(new HashSet<>(acknowledged)).hasSameSizeAs(acknowledged);
    }

    private void assertCountsAreComplete(List<String> users, List<String> photos) {
        assertWhereTheyBelong("photo_like", List.of());
        long likes = 0;
        for (String photo : photos) {
            long id = Long.parseLong(photo);
            likes += DATABASES
                    .named(DATABASES.homeOf(id))
                    .queryLong("SELECT count(*) FROM %s.photo_like WHERE photo_id = %d"
                            .formatted(Databases.schemaOf(id), id));
        }
        assertThat(likes).isEqualTo((long) USERS * PHOTOS * LIKES);
        assertThat(api().get("/photos/" + photos.get(0)).body().get("likes").asInt())
                .isEqualTo(LIKES);
        List<String> listed = PhotoSharingIntegrationTests.values(
                api().get("/users/" + users.get(0) + "/photos?limit=100").body().get("items"), "id");
        assertThat(listed)
                .hasSize(PHOTOS)
                .isSortedAccordingTo((a, b) -> Long.compare(Long.parseLong(b), Long.parseLong(a)));
    }

    private interface Work {
        Callable<String> at(int index);
    }

    private static List<String> all(ExecutorService clients, int count, Work work) throws Exception {
        List<Future<String>> running = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            running.add(clients.submit(work.at(i)));
        }
        List<String> results = new ArrayList<>();
        for (Future<String> one : running) {
            results.add(one.get());
        }
        return results;
    }
}
