package io.github.shardedid.boot.test;

import org.springframework.data.jpa.repository.JpaRepository;

interface Receipts extends JpaRepository<Receipt, Long> {}
