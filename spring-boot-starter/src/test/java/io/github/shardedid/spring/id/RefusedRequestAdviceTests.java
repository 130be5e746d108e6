package io.github.shardedid.spring.id;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.not;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import io.github.shardedid.hibernate.AssociationAcrossShardsException;
import io.github.shardedid.hibernate.MissingShardKeyException;
import io.github.shardedid.hibernate.ShardKeyException;
import io.github.shardedid.hibernate.ShardKeyMismatchException;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardFencedException;
import io.github.shardedid.spring.data.PartialWriteException;
import io.github.shardedid.topology.UnknownShardException;
import jakarta.servlet.ServletException;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.http.HttpStatus;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

class RefusedRequestAdviceTests {
    private final MockMvc web = MockMvcBuilders.standaloneSetup(new Photos())
            .setControllerAdvice(new FailedRequestAdvice())
            .build();

    @RestController
    static final class Photos {
        /** Fails as Spring translates it. */
        @GetMapping("/{what}")
        String photos(@PathVariable String what) {
            RuntimeException failure =
                    switch (what) {
                        case "link" -> new AssociationAcrossShardsException("in shard 17");
                        case "owner" -> new ShardKeyMismatchException("in shard 17");
                        case "nothing" -> new MissingShardKeyException("in shard 17");
                        case "null" -> new ShardKeyException("called with null");
                        case "unknown" -> new UnknownShardException("in shard 17");
                        default -> new NoShardException("in shard 17");
                    };
            throw new InvalidDataAccessApiUsageException("translated", new IllegalStateException(failure));
        }

        /** Fails for a reason that has another meaning here. */
        @GetMapping("/{what}/as/{other}")
        String photosAs(@PathVariable String what, @PathVariable String other) throws Exception {
            Exception cause =
                    switch (what) {
                        case "link" -> new AssociationAcrossShardsException("in shard 17");
                        case "id" -> new MalformedIdException("an id");
                        case "fenced" -> ShardFencedException.of(17, "pg1", List.of(), null);
                        default -> new DatabaseUnavailableException("No connection to database pg1", null);
                    };
            throw switch (other) {
                case "gone" -> new ResponseStatusException(HttpStatus.GONE, "sold", cause);
                case "locked" -> new Locked(cause);
                default ->
                    new IllegalStateException(
                            new PartialWriteException("half written", cause, Map.of(), Map.of(), Map.of()));
            };
        }

        /** A response that cannot be written, as an association of it cannot be read. */
        @RequestMapping("/{what}/read")
        Broken broken(@PathVariable String what) {
            return new Broken(what);
        }
    }

    record Broken(String what) {
        /** As Hibernate translates it. */
        @SuppressWarnings({"unused", "DoNotCallSuggester"}) // Jackson calls it
        public String getOwner() throws Exception {
            throw new IllegalStateException(
                    switch (what) {
                        case "id" -> new MalformedIdException("an id");
                        case "unknown" -> new UnknownShardException("in shard 17");
                        default -> new DatabaseUnavailableException("No connection to database pg1", null);
                    });
        }
    }

    @ResponseStatus(HttpStatus.LOCKED)
    private static final class Locked extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Locked(Throwable cause) {
            super(cause);
        }
    }

    private void assertRefused(String path, int status) throws Exception {
        web.perform(get(path))
                .andExpect(status().is(status))
                .andExpect(content().contentType("application/problem+json"))
                .andExpect(content().string(not(containsString("17"))));
    }

    @Test
    void whatTheClientMayChangeIsNoFailureOfTheServer() throws Exception {
        assertRefused("/link", 409);
        assertRefused("/owner", 409);
        assertRefused("/nothing", 400);
        assertRefused("/unknown", 404);
    }

    @Test
    void mistakesOfTheApplicationAre() {
        Assertions.assertThatExceptionOfType(ServletException.class).isThrownBy(() -> web.perform(get("/query")));
        Assertions.assertThatExceptionOfType(ServletException.class).isThrownBy(() -> web.perform(get("/null")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"link", "id", "fenced", "down"})
    void aStatusOfTheApplicationCountsMoreThanTheCause(String cause) throws Exception {
        web.perform(get("/" + cause + "/as/gone")).andExpect(status().isGone());
        web.perform(get("/" + cause + "/as/locked")).andExpect(status().isLocked());
    }

    @ParameterizedTest
    @ValueSource(strings = {"link", "id", "fenced", "down"})
    void whatIsHalfWrittenIsAFailureOfTheServerWhateverTheCause(String cause) {
        Assertions.assertThatExceptionOfType(ServletException.class)
                .isThrownBy(() -> web.perform(get("/" + cause + "/as/half")))
                .withMessageContaining("half written");
    }

    /** The write may be committed: a client that repeats it would write it twice. */
    @ParameterizedTest
    @ValueSource(strings = {"id", "unknown", "down"})
    void aResponseThatCannotBeWrittenIsAFailureOfTheServer(String cause) throws Exception {
        web.perform(post("/" + cause + "/read"))
                .andExpect(status().isInternalServerError())
                .andExpect(header().doesNotExist("Retry-After"));
    }

    @Test
    void whatWasOnlyReadMayBeReadAgain() throws Exception {
        web.perform(get("/down/read"))
                .andExpect(status().isServiceUnavailable())
                .andExpect(header().string("Retry-After", "5"));
        web.perform(get("/id/read")).andExpect(status().isInternalServerError());
    }
}
