package io.github.shardedid.boot.named;

import io.github.shardedid.hibernate.ShardKey;
import java.util.List;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Sort;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.jpa.repository.QueryRewriter;

public interface Notes extends JpaRepository<Note, Long> {
    /** In the file, with another condition than the name has. */
    List<Note> findByVisitor(long visitor);

    /** In the file, under this name. */
    List<Note> of(long visitor);

    /** In the file, under the name in the annotation. */
    @Query(name = "theirs")
    List<Note> named(long visitor);

    /** In the file, instead of the named query of the entity. */
    List<Note> findByPageOrVisitor(String page, long visitor);

    /** In the file, as SQL. */
    @Query(name = "natively", nativeQuery = true)
    List<Note> natively(@ShardKey long visitor);

    @Query(value = "select n from Note n where n.visitor = :visitor", queryRewriter = Widening.class)
    List<Note> rewritten(long visitor);

    @Query(value = "select n from Note n where n.visitor = :visitor", queryRewriter = Widening.class)
    List<Note> rewrittenByKey(@ShardKey long visitor);

    @Query(
            value = "select n from Note n where n.visitor = :visitor",
            countQuery = "select count(n) from Note n where n.visitor >= :visitor")
    Page<Note> countedOtherwise(long visitor, Pageable page);

    @Query(
            value = "select n from Note n where n.visitor = :visitor",
            countQuery = "select count(n.id) from Note n where n.visitor = :visitor")
    Page<Note> counted(long visitor, Pageable page);

    /** Its count query is in the file. */
    @Query("select n from Note n where n.visitor = :visitor")
    Page<Note> countedByName(long visitor, Pageable page);

    /** Rows of other shards, too. */
    class Widening implements QueryRewriter {
        @Override
        public String rewrite(String query, Sort sort) {
            return query + " or n.page = 'shared'";
        }
    }
}
