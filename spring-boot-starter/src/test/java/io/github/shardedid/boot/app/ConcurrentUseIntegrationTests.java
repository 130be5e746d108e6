package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.topology.ShardSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Promises 1, 2 and 5 under eight threads that do this and that. */
class ConcurrentUseIntegrationTests {
    private static final Logger LOG = LoggerFactory.getLogger(ConcurrentUseIntegrationTests.class);

    private static final List<String> TABLES = List.of("app_user", "photo", "photo_comment", "photo_like");

    private final RunningApp app = RunningApp.shared();
    private final UserRepository users = app.bean(UserRepository.class);
    private final PhotoRepository photos = app.bean(PhotoRepository.class);
    private final CommentRepository comments = app.bean(CommentRepository.class);
    private final LikeRepository likes = app.bean(LikeRepository.class);

    @Test
    void everyRowIsInTheShardThatItsIdNamesAndNoIdComesTwice() throws Exception {
        long seed = System.nanoTime();
        LOG.warn("Seed {}", seed);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Integer>> work = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Random random = new Random(seed + i);
                work.add(() -> mixed(random));
            }
            for (Future<Integer> done : threads.invokeAll(work)) {
                assertThat(done.get()).isEqualTo(40);
            }
        } finally {
            threads.shutdownNow();
        }
        TABLES.forEach(this::check);
    }

    private int mixed(Random random) {
        int done = 0;
        while (done < 40) {
            User user = random.nextBoolean() ? users.save(new User("mixed")) : app.userIn(random.nextInt(8));
            if (random.nextInt(4) == 0) {
                int shard = random.nextInt(8);
                app.home(shard)
                        .execute("INSERT INTO " + ShardSchema.nameOf(shard) + ".app_user (name) VALUES ('beside')");
            }
            Photo photo = app.photoOf(user, "mixed");
            app.inTransaction(() -> {
                Photo found = photos.findById(photo.id()).orElseThrow();
                found.setCaption("changed");
                comments.save(new Comment(found, "mixed"));
                likes.save(new Like(found.id(), "mixed"));
            });
            assertThat(photos.findByAuthor(user)).extracting(Photo::getCaption).containsExactly("changed");
            if (random.nextInt(5) == 0) {
                likes.deleteAll(likes.findByPhotoId(photo.id()));
            }
            done++;
        }
        return done;
    }

    private void check(String table) {
        Set<Long> ids = new HashSet<>();
        for (int shard = 0; shard < 8; shard++) {
            for (String id : app.query(shard, "SELECT id FROM $." + table)) {
                assertThat(app.shardOf(Long.parseLong(id))).as(table + " " + id).isEqualTo(shard);
                assertThat(ids.add(Long.parseLong(id)))
                        .as(table + " " + id + " once")
                        .isTrue();
            }
        }
        assertThat(ids).isNotEmpty();
    }
}
