package io.github.shardedid.security;

import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

public interface AccountRepository extends JpaRepository<Account, Long> {
    Optional<Account> findByLogin(String login);

    boolean existsByEmailIgnoreCase(String email);

    @Query("select a.name from Account a where lower(a.email) = lower(:email)")
    Optional<String> nameOf(String email);
}
