package io.github.shardedid.security;

import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

@Entity
public class Account {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @UniqueAcrossShards
    String login = "";

    @UniqueAcrossShards(ignoreCase = true)
    String email = "";

    String name = "";
    String password = "";

    protected Account() {}

    public Account(String login, String email, String name, String password) {
        this.login = login;
        this.email = email;
        this.name = name;
        this.password = password;
    }
}
