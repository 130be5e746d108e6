package io.github.shardedid.web;

import java.util.Collection;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.repository.query.Param;
import org.springframework.graphql.data.GraphQlRepository;

@GraphQlRepository
public interface ArticleRepository extends JpaRepository<Article, Long> {
    List<Article> findByAuthor(@Param("author") Author author);

    List<Article> findByAuthorIdIn(Collection<Long> authors);
}
