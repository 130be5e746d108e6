package io.github.shardedid.boot.named;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

/** Each query is derived from its name, whatever is declared. */
public interface CreatedNotes extends JpaRepository<Note, Long> {
    List<Note> findByPageOrVisitor(String page, long visitor);

    @Query("select n from Note n where n.visitor = :visitor and n.page = :page")
    List<Note> findByVisitorOrPage(long visitor, String page);

    List<Note> findByVisitor(long visitor);
}
