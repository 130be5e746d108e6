package io.github.shardedid.web;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.stereotype.Controller;

/** Data fetchers of Spring for GraphQL. Articles and authors of a response are read with one call of a repository each. */
@Controller
class Graph {
    private final AuthorRepository authors;
    private final ArticleRepository articles;

    Graph(AuthorRepository authors, ArticleRepository articles) {
        this.authors = authors;
        this.articles = articles;
    }

    @QueryMapping
    List<Author> authors(@Argument List<Long> ids) {
        return authors.findAllById(ids);
    }

    @QueryMapping
    Optional<Article> article(@Argument Long id) {
        return articles.findById(id);
    }

    @MutationMapping
    Article write(@Argument Long author, @Argument String title) {
        return articles.save(new Article(title, authors.getReferenceById(author)));
    }

    @BatchMapping(typeName = "Author", field = "articles")
    Map<Author, List<Article>> articlesOf(List<Author> of) {
        Map<Long, List<Article>> byAuthor = articles
                .findByAuthorIdIn(of.stream().map(Author::getId).toList())
                .stream()
                .collect(groupingBy(Graph::authorIdOf));
        return of.stream()
                .collect(toMap(Function.identity(), author -> byAuthor.getOrDefault(author.getId(), List.of())));
    }

    @BatchMapping(typeName = "Article", field = "author")
    Map<Article, Author> authorOf(List<Article> of) {
        Map<Long, Author> byId = authors
                .findAllById(of.stream().map(Graph::authorIdOf).distinct().toList())
                .stream()
                .collect(toMap(Author::getId, Function.identity()));
        return of.stream()
                .collect(toMap(Function.identity(), article -> requireNonNull(byId.get(authorIdOf(article)))));
    }

    private static Long authorIdOf(Article article) {
        return requireNonNull(requireNonNull(article.getAuthor()).getId());
    }
}
