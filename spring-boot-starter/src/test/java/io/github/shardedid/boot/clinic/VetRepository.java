package io.github.shardedid.boot.clinic;

import java.util.Collection;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Transactional;

interface VetRepository extends Repository<Vet, Long> {
    @Transactional(readOnly = true)
    Collection<Vet> findAll();

    @Transactional(readOnly = true)
    Page<Vet> findAll(Pageable pageable);
}
