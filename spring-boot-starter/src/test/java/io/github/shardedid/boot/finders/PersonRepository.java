package io.github.shardedid.boot.finders;

import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.JpaSpecificationExecutor;
import org.springframework.data.jpa.repository.Query;
import org.springframework.transaction.annotation.Transactional;

public interface PersonRepository extends JpaRepository<Person, Long>, JpaSpecificationExecutor<Person> {
    Optional<Person> findByEmail(String email);

    boolean existsByEmail(String email);

    long countByEmail(String email);

    Optional<Person> findByEmailIgnoreCase(String email);

    boolean existsByEmailIgnoreCase(String email);

    Optional<Person> findByLogin(String login);

    @Nullable
    Person findByLoginAndActiveTrue(String login);

    Optional<Named> findNamedByLogin(String login);

    Page<Person> findPageByLogin(String login, Pageable page);

    List<Person> findByBadgeOrderByName(Integer badge);

    Optional<Person> findByLoginIgnoreCase(String login);

    List<Person> findByLoginOrEmail(String login, String email);

    @AllShards
    List<Person> findAllByLogin(String login);

    @Query("select p.name from Person p where p.active = true and :email = p.email")
    Optional<String> nameOf(String email);

    @Query("select count(e) from Essay e join e.author a where lower(a.email) = lower(:email)")
    long essaysOf(String email);

    @Transactional
    long deleteByLogin(String login);

    /** A projection. */
    interface Named {
        String getName();
    }
}
