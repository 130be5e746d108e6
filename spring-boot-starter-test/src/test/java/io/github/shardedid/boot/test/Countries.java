package io.github.shardedid.boot.test;

import org.springframework.data.jpa.repository.JpaRepository;

interface Countries extends JpaRepository<Country, String> {}
