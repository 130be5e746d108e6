package io.github.shardedid.boot.test;

import org.springframework.data.jpa.repository.JpaRepository;

interface Purchases extends JpaRepository<Purchase, Long> {}
