package io.github.shardedid.ecosystem;

import org.springframework.data.jpa.repository.JpaRepository;

interface GadgetRepository extends JpaRepository<Gadget, Long> {}
