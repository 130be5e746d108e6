package io.github.shardedid.boot.differential;

import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import org.springframework.data.domain.Sort;
import org.springframework.data.jpa.repository.JpaRepository;

public interface Members extends JpaRepository<Member, Long> {
    @Override
    @AllShards
    List<Member> findAll(Sort sort);

    @Override
    @AllShards
    long count();
}
