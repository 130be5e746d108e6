package io.github.shardedid.boot.app;

import io.github.shardedid.boot.web.Http;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.spring.id.IdOf;
import io.github.shardedid.topology.Cluster;
import java.util.HashSet;
import java.util.Set;
import org.springframework.aot.AotDetector;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.PageRequest;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** Uses the application in a process of its own, and says on its last line what it found. */
final class AotMain {
    private AotMain() {}

    record View(@IdOf(Photo.class) long id) {}

    /** What there is for clients and operators. */
    private static String served(ConfigurableApplicationContext context) {
        Http http = new Http(context);
        Http.Answer shards = http.get("/actuator/shards");
        return "shards: " + shards.status() + " " + shards.json().get("shards")
                + ", move: "
                + http.post("/actuator/shards/0", "{\"action\": \"resume\"}").status()
                + ", health: "
                + http.get("/actuator/health/db").json().get("status").asString()
                + " "
                + http.get("/actuator/health/shardMap").json().get("status").asString()
                + ", metrics: "
                + http.get("/actuator/metrics/sharded.id.epoch.left").status()
                + ", json: " + context.getBean(JsonMapper.class).writeValueAsString(new View(Long.MAX_VALUE));
    }

    /** Pages without an order are ordered by the id, so that each row is on one page. */
    private static int paged(PhotosEverywhere everywhere) {
        Set<Long> ids = new HashSet<>();
        for (int page = 0; page < 3; page++) {
            everywhere.findPageByCaption("processed", PageRequest.of(page, 3)).forEach(photo -> ids.add(photo.id()));
        }
        return ids.size();
    }

    private static String refusal(PhotoRepository photos) {
        try {
            return "found " + photos.findByCaption("processed").size();
        } catch (NoShardException refused) {
            return "refused";
        }
    }

    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplication(PhotoSharing.class);
        application.setMainApplicationClass(PhotoSharing.class);
        try (ConfigurableApplicationContext context = application.run(arguments)) {
            UserRepository users = context.getBean(UserRepository.class);
            PhotoRepository photos = context.getBean(PhotoRepository.class);
            PhotosEverywhere everywhere = context.getBean(PhotosEverywhere.class);
            Cluster cluster = context.getBean(Cluster.class);
            StringBuilder found = new StringBuilder();
            for (int shard = 0; shard < 8; shard++) {
                User author = ShardContext.call(shard, () -> users.save(new User("ahead of time")));
                Photo photo = photos.save(new Photo(author, "ahead of time"));
                found.append(cluster.shardOf(photo.id()));
                new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                        .executeWithoutResult(status ->
                                photos.findById(photo.id()).orElseThrow().setCaption("processed"));
                found.append("ahead of time".equals(users.nameOf(author.id())) ? "" : "?");
                found.append(photos.findByAuthor(author).size());
                found.append(' ');
            }
            found.append(everywhere
                    .findByCaptionOrderByIdDesc("processed", Limit.of(20))
                    .size());
            found.append(' ').append(everywhere.countByCaption("processed"));
            found.append(' ').append(paged(everywhere));
            found.append(' ').append(refusal(photos));
            User async = ShardContext.call(
                            6, () -> context.getBean(BackgroundUsers.class).save("async"))
                    .join();
            found.append(' ').append(cluster.shardOf(async.id()));
            System.out.println("generated: " + AotDetector.useGeneratedArtifacts() + ", found: " + found);
            System.out.println(served(context));
        }
    }
}
