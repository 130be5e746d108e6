package io.github.shardedid.boot.pooler;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

interface CallRepository extends JpaRepository<Call, Long> {
    List<Call> findByVisitor(long visitor);
}
