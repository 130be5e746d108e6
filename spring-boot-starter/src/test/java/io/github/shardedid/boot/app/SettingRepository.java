package io.github.shardedid.boot.app;

import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.transaction.annotation.Transactional;

public interface SettingRepository extends JpaRepository<Setting, String> {
    List<Setting> findByContentOrderByName(String content);

    @Query("select s.content from Setting s where s.name = :name")
    Optional<String> contentOf(String name);

    @Query(nativeQuery = true, value = "SELECT count(*) FROM setting WHERE content = :content")
    long countNatively(String content);

    @Transactional
    @Modifying
    @Query("update Setting s set s.content = :content where s.name = :name")
    int change(String name, String content);

    default boolean isBlue(String name) {
        return contentOf(name).filter("blue"::equals).isPresent();
    }
}
