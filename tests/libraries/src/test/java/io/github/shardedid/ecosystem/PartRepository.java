package io.github.shardedid.ecosystem;

import org.springframework.data.jpa.repository.JpaRepository;

interface PartRepository extends JpaRepository<Part, Long> {}
