package io.github.shardedid.spring.web;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.not;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import io.github.shardedid.hibernate.AssociationAcrossShardsException;
import io.github.shardedid.hibernate.ShardKeyException;
import io.github.shardedid.hibernate.ShardKeyMismatchException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.topology.UnknownShardException;
import jakarta.servlet.ServletException;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

class RefusedRequestAdviceTests {
    private final MockMvc web = MockMvcBuilders.standaloneSetup(new Photos())
            .setControllerAdvice(new RefusedRequestAdvice())
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
                        case "nothing" -> new ShardKeyException("in shard 17");
                        case "unknown" -> new UnknownShardException("in shard 17");
                        default -> new NoShardException("in shard 17");
                    };
            throw new InvalidDataAccessApiUsageException("translated", new IllegalStateException(failure));
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
    }
}
