package io.github.shardedid.boot.app;

import io.github.shardedid.hibernate.ShardKey;
import org.jspecify.annotations.Nullable;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

public interface UserRepository extends JpaRepository<User, Long> {
    @Nullable
    User findByName(String name);

    @Query("select u.name from User u where u.id = :id")
    @Nullable
    String nameOf(@ShardKey(references = User.class) Long id);

    @Query("select u from User u where u.id = ?1")
    @Nullable
    User withNumber(@ShardKey Long id);
}
