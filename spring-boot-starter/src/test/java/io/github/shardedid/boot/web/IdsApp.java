package io.github.shardedid.boot.web;

import io.github.shardedid.boot.app.Photo;
import io.github.shardedid.boot.app.User;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.spring.id.IdOf;
import io.github.shardedid.spring.id.IdText;
import io.github.shardedid.topology.UnownedShardException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** A web application that takes and gives ids, and asks no database. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        exclude = {
            ShardedIdAutoConfiguration.class,
            DataSourceAutoConfiguration.class,
            HibernateJpaAutoConfiguration.class
        })
@Import(IdsApp.Controller.class)
class IdsApp {
    static ConfigurableApplicationContext start(String... more) {
        return new SpringApplicationBuilder(IdsApp.class)
                .properties(
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "sharded-id.shards=8",
                        "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/app",
                        "sharded-id.databases.pg1.shards=0-7")
                .properties(more)
                .run();
    }

    record View(
            @IdOf(Photo.class) long id,
            @IdOf(User.class) @Nullable Long author,
            @IdOf List<Long> likedBy,
            @IdOf Map<Long, Integer> timesSeenBy,
            @IdOf Map<String, Long> pinned,
            @IdOf Optional<Long> cover,
            long likes) {}

    /** As JPA has it. */
    static class Person {
        @ShardedId
        private @Nullable Long id;

        public @Nullable Long getId() {
            return id;
        }

        public void setId(Long id) {
            this.id = id;
        }
    }

    @RestController
    static class Controller {
        private final IdText ids;

        Controller(IdText ids) {
            this.ids = ids;
        }

        @GetMapping("/photos/{id}")
        String path(@PathVariable @IdOf(Photo.class) long id) {
            return "photo " + id;
        }

        @GetMapping("/photos")
        String parameter(
                @RequestParam @IdOf(User.class) Long author,
                @RequestParam(required = false) @IdOf @Nullable List<Long> tagged,
                @RequestParam(defaultValue = "20") int limit) {
            return "photos of " + author + " with " + tagged + ", " + limit;
        }

        @GetMapping("/header")
        String header(@RequestHeader("X-User") @IdOf(User.class) long id) {
            return "user " + id;
        }

        @GetMapping("/links/{text}")
        String byHand(@PathVariable String text) {
            return "link to " + ids.parse(text, Photo.class);
        }

        /** Fails as Spring translates it. */
        @GetMapping("/failures/{what}")
        String failure(@PathVariable String what) {
            throw switch (what) {
                case "down" ->
                    new DataAccessResourceFailureException(
                            "translated", new DatabaseUnavailableException("No connection to database pg1", null));
                case "unowned" -> new UnownedShardException("No reachable database owns shard 17: pg1 is down");
                case "gone" -> new ResponseStatusException(HttpStatus.GONE, "sold", new MalformedIdException("pg1"));
                default -> new IllegalStateException(new MalformedIdException("\"" + what + "\" is no id"));
            };
        }

        @PostMapping("/photos")
        View body(@RequestBody View view) {
            return view;
        }

        @PostMapping("/people")
        Person person(@RequestBody Person person) {
            return person;
        }
    }
}
