package io.github.shardedid.spring.id;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.not;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import io.github.shardedid.routing.ConnectionLostException;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.ShardFencedException;
import io.github.shardedid.topology.UnownedShardException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

class UnavailableShardAdviceTests {
    private final MockMvc web = MockMvcBuilders.standaloneSetup(new Photos())
            .setControllerAdvice(new FailedRequestAdvice())
            .build();

    @RestController
    static final class Photos {
        /** Fails as Spring and Hibernate translate it. */
        @GetMapping("/{what}")
        String photos(@PathVariable String what) {
            if (what.equals("fenced")) {
                SQLException cause = ShardFencedException.of(17, "pg1", List.of(), null);
                throw new CannotAcquireLockException("translated", new IllegalStateException(cause));
            } else if (what.equals("down")) {
                throw new DataAccessResourceFailureException(
                        "translated", new DatabaseUnavailableException("No connection to database pg1", null));
            } else if (what.equals("unowned")) {
                throw new UnownedShardException("No reachable database owns shard 17: pg1 is down");
            } else if (what.equals("lost")) {
                throw lost();
            }
            return what;
        }

        @PostMapping("/{what}")
        String write(@PathVariable String what) {
            return photos(what);
        }

        private static DataAccessException lost() {
            return new DataAccessResourceFailureException(
                    "translated",
                    new ConnectionLostException("The connection to database pg1 broke", new SQLException()));
        }
    }

    private void assertUnavailable(String path) throws Exception {
        web.perform(get(path))
                .andExpect(status().isServiceUnavailable())
                .andExpect(header().string("Retry-After", "5"))
                .andExpect(content().contentType("application/problem+json"))
                .andExpect(content().string(not(containsString("pg1"))));
    }

    @Test
    void aRequestWhoseShardIsNotAvailableMayComeAgain() throws Exception {
        assertUnavailable("/fenced");
        assertUnavailable("/down");
        assertUnavailable("/unowned");
        assertUnavailable("/lost");
        web.perform(get("/there")).andExpect(status().isOk());
    }

    /** It may have taken effect. */
    @Test
    void aWriteThatWasCutOffKeepsItsFailure() {
        assertThatThrownBy(() -> web.perform(post("/lost"))).hasCauseInstanceOf(DataAccessException.class);
    }
}
