package io.github.shardedid.boot.shelter;

import org.springframework.data.jpa.repository.JpaRepository;

interface KindRepository extends JpaRepository<Kind, Long> {}
