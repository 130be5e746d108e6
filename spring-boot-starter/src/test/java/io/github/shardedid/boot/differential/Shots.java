package io.github.shardedid.boot.differential;

import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.transaction.annotation.Transactional;

public interface Shots extends JpaRepository<Shot, Long> {
    List<Shot> findByAlbumOwnerIdOrderById(Long owner);

    @AllShards
    List<Shot> findByCaptionOrderByIdDesc(String caption);

    @Transactional
    long deleteByAlbumIdAndCaption(Long album, String caption);
}
