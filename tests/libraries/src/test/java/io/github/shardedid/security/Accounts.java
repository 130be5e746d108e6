package io.github.shardedid.security;

import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.stereotype.Service;

/** As each application has it. */
@Service
public class Accounts implements UserDetailsService {
    private final AccountRepository accounts;

    Accounts(AccountRepository accounts) {
        this.accounts = accounts;
    }

    @Override
    public UserDetails loadUserByUsername(String login) {
        return accounts.findByLogin(login)
                .map(Accounts::details)
                .orElseThrow(() -> new UsernameNotFoundException(login));
    }

    private static UserDetails details(Account account) {
        return User.withUsername(account.login)
                .password(account.password)
                .roles("USER")
                .build();
    }
}
