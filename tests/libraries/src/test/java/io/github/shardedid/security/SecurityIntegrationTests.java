package io.github.shardedid.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.databases.TwoDatabases;
import io.github.shardedid.routing.ShardContext;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;

/** Spring Security asks the repository for a user by the login, and knows nothing of shards. */
class SecurityIntegrationTests {
    private static final TwoDatabases DATABASES = TwoDatabases.create();

    private static ConfigurableApplicationContext context;
    private static AccountRepository accounts;

    @BeforeAll
    static void start() {
        context = DATABASES.start(SecurityApp.class, "classpath:db/security");
        accounts = context.getBean(AccountRepository.class);
        for (int shard = 0; shard < 8; shard++) {
            String login = "login" + shard;
            ShardContext.run(
                    shard,
                    () -> accounts.save(
                            new Account(login, login + "@Mail.example", login + "'s name", "{noop}secret")));
        }
    }

    @AfterAll
    static void stop() {
        context.close();
        DATABASES.drop();
    }

    @Test
    void usersOfEachShardLogIn() {
        DaoAuthenticationProvider provider = new DaoAuthenticationProvider(context.getBean(Accounts.class));
        List<String> logins =
                IntStream.range(0, 8).mapToObj(shard -> "login" + shard).toList();
        assertThat(logins).allSatisfy(login -> {
            assertThat(provider.authenticate(UsernamePasswordAuthenticationToken.unauthenticated(login, "secret"))
                            .isAuthenticated())
                    .isTrue();
            assertThatExceptionOfType(BadCredentialsException.class)
                    .isThrownBy(() -> provider.authenticate(
                            UsernamePasswordAuthenticationToken.unauthenticated(login, "another one")));
            assertThat(accounts.existsByEmailIgnoreCase(login + "@mail.EXAMPLE"))
                    .isTrue();
            assertThat(accounts.nameOf(login + "@MAIL.example")).contains(login + "'s name");
        });
        assertThatExceptionOfType(BadCredentialsException.class)
                .isThrownBy(() ->
                        provider.authenticate(UsernamePasswordAuthenticationToken.unauthenticated("login8", "secret")));
    }

    @Test
    void aLoginThatIsTakenIsRefused() {
        assertThatExceptionOfType(DuplicateKeyException.class)
                .isThrownBy(() -> accounts.save(new Account("login3", "other@mail.example", "other", "{noop}other")));
    }
}
