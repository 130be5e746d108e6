package io.github.shardedid.web;

import io.github.shardedid.spring.data.AllShards;
import java.util.function.Function;
import org.springframework.data.domain.Example;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Sort;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.repository.query.FluentQuery.FetchableFluentQuery;
import org.springframework.data.repository.query.Param;
import org.springframework.graphql.data.GraphQlRepository;
import org.springframework.graphql.data.query.QueryByExampleDataFetcher;
import org.springframework.graphql.data.query.QueryByExampleDataFetcher.QueryByExampleBuilderCustomizer;

@GraphQlRepository
public interface AuthorRepository extends JpaRepository<Author, Long>, QueryByExampleBuilderCustomizer<Author> {
    /** The collection resource of Spring Data REST. */
    @Override
    @AllShards
    Page<Author> findAll(Pageable pageable);

    @AllShards
    Page<Author> findByNameStartingWith(@Param("name") String name, Pageable pageable);

    /** The data fetchers of Spring for GraphQL. */
    @Override
    @AllShards
    <S extends Author, R> R findBy(Example<S> example, Function<FetchableFluentQuery<S>, R> query);

    /** Pages of connections over several shards. */
    @Override
    default QueryByExampleDataFetcher.Builder<Author, ?> customize(
            QueryByExampleDataFetcher.Builder<Author, ?> fetcher) {
        return fetcher.sortBy(Sort.by("id"));
    }
}
