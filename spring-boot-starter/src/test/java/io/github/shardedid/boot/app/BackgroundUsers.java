package io.github.shardedid.boot.app;

import java.util.concurrent.CompletableFuture;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.stereotype.Component;

/** Works on threads of Boot's executor, in the shard of the caller. */
@Component
@EnableAsync
public class BackgroundUsers {
    private final UserRepository users;

    BackgroundUsers(UserRepository users) {
        this.users = users;
    }

    @Async
    public CompletableFuture<User> save(String name) {
        return CompletableFuture.completedFuture(users.save(new User(name)));
    }

    @Async
    public CompletableFuture<User> find(String name) {
        return CompletableFuture.completedFuture(users.findByName(name));
    }
}
