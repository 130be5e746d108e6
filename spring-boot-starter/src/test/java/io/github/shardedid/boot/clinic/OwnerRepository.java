package io.github.shardedid.boot.clinic;

import io.github.shardedid.spring.data.AllShards;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.jpa.repository.JpaRepository;

interface OwnerRepository extends JpaRepository<Owner, Long> {
    @AllShards
    Page<Owner> findByLastNameStartingWith(String lastName, Pageable pageable);
}
