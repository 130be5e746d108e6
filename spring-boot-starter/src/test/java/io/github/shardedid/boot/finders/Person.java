package io.github.shardedid.boot.finders;

import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Has a login in its exact letters, an e-mail address in any, and perhaps a badge. */
@Entity
public class Person {
    @Id
    @ShardedId
    private @Nullable Long id;

    @UniqueAcrossShards
    private String login = "";

    @UniqueAcrossShards(ignoreCase = true)
    private @Nullable String email;

    @UniqueAcrossShards
    private @Nullable Integer badge;

    private String name = "";
    private boolean active;

    protected Person() {}

    public Person(@Nullable Long id, String login, @Nullable String email, @Nullable Integer badge, String name) {
        this.id = id;
        this.login = login;
        this.email = email;
        this.badge = badge;
        this.name = name;
        this.active = name.length() % 2 == 0;
    }

    public @Nullable Long getId() {
        return id;
    }

    public long id() {
        return Objects.requireNonNull(id);
    }

    public String login() {
        return login;
    }

    public String getName() {
        return name;
    }

    public void setLogin(String login) {
        this.login = login;
    }

    public void setEmail(@Nullable String email) {
        this.email = email;
    }

    public void setBadge(@Nullable Integer badge) {
        this.badge = badge;
    }

    @Override
    public String toString() {
        return id + " " + login + " " + email + " " + badge + " " + name + " " + active;
    }
}
