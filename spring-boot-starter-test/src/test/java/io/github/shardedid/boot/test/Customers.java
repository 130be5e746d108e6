package io.github.shardedid.boot.test;

import org.springframework.data.jpa.repository.JpaRepository;

interface Customers extends JpaRepository<Customer, Long> {}
