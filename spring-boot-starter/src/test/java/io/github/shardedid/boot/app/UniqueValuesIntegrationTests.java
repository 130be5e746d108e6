package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.ShardContext;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;

/** Two values of a row that exist once in the cluster: the row of a global entity claims both. */
@Tag("quick")
class UniqueValuesIntegrationTests {
    private final RunningApp app = RunningApp.shared();
    private final UserRepository users = app.bean(UserRepository.class);
    private final LoginRepository logins = app.bean(LoginRepository.class);
    private final String some = UUID.randomUUID().toString();

    private User register(String email, String nickname) {
        User user = users.save(new User(nickname)); // no one finds it yet
        try {
            logins.save(new Login(email, nickname, user.id()));
        } catch (DataIntegrityViolationException taken) {
            users.delete(user);
            throw taken;
        }
        return user;
    }

    private Optional<User> byEmail(String email) {
        return logins.findByEmail(email).flatMap(login -> users.findById(login.userId));
    }

    @Test
    void theSecondOneIsRefusedInWhateverShard() {
        User first = register(some + "@mail", some);

        for (int shard = 0; shard < 8; shard++) {
            ShardContext.run(shard, () -> {
                assertThatThrownBy(() -> register(some + "@mail", some + "'s other name"))
                        .isInstanceOf(DataIntegrityViolationException.class);
                assertThatThrownBy(() -> register(some + "@othermail", some))
                        .isInstanceOf(DataIntegrityViolationException.class);
            });
        }

        assertThat(byEmail(some + "@mail").map(User::id)).contains(first.id());
        assertThat(byEmail(some + "@othermail")).isEmpty();
        assertThat(IntStream.range(0, 8)
                        .mapToObj(
                                shard -> app.query(shard, "SELECT id FROM $.app_user WHERE name LIKE '" + some + "%'"))
                        .mapToLong(List::size)
                        .sum())
                .as("users, of whom refused ones are deleted")
                .isOne();
    }
}
