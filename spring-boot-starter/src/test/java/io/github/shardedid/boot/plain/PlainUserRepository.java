package io.github.shardedid.boot.plain;

import org.springframework.data.jpa.repository.JpaRepository;

public interface PlainUserRepository extends JpaRepository<PlainUser, Long> {}
