package io.github.shardedid.boot.app;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** Global: what exists once in the cluster of a user, who is in a shard. */
@Entity
public class Login {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Nullable
    Long id;

    /** Unique in the table. */
    String email = "";

    /** Unique in the table, too. */
    String nickname = "";

    long userId;

    protected Login() {}

    public Login(String email, String nickname, long userId) {
        this.email = email;
        this.nickname = nickname;
        this.userId = userId;
    }
}
