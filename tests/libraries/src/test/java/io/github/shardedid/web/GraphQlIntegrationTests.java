package io.github.shardedid.web;

import static io.github.shardedid.web.RunningWeb.DATABASES;
import static io.github.shardedid.web.RunningWeb.client;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.github.shardedid.routing.ShardContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;

/** Spring for GraphQL over HTTP: controllers with batches, and repositories as data fetchers. */
class GraphQlIntegrationTests {
    @BeforeAll
    static void startTheApplication() {
        assertThat(RunningWeb.bean(WebApp.class)).isNotNull();
    }

    private static Author author(int shard, String name, String... titles) {
        Author author = RunningWeb.author(shard, name);
        for (String title : titles) {
            RunningWeb.bean(ArticleRepository.class).save(new Article(title, author));
        }
        return author;
    }

    private static String ask(String query) {
        return requireNonNull(client().post()
                .uri("/graphql")
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of("query", query))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .returnResult()
                .getResponseBody());
    }

    private static List<String> read(String response, String path) {
        assertThat(response).doesNotContain("\"errors\"");
        return JsonPath.read(response, path);
    }

    @Test
    void batchesAreReadFromTheShardsOfTheirIds() {
        Author one = author(1, "One", "a", "b");
        Author six = author(6, "Six", "c");
        String response = ask("{ authors(ids: [\"%d\", \"%d\"]) { id name articles { title author { id name } } } }"
                .formatted(six.getId(), one.getId()));

        assertThat(read(response, "$.data.authors[*].id"))
                .containsExactlyInAnyOrder("" + six.getId(), "" + one.getId());
        assertThat(read(response, "$.data.authors[?(@.name == 'Six')].articles[*].title"))
                .containsExactly("c");
        String articles = "$.data.authors[?(@.name == 'One')].articles[*]";
        assertThat(read(response, articles + ".title")).containsExactlyInAnyOrder("a", "b");
        assertThat(read(response, articles + ".author.name")).containsExactly("One", "One");
    }

    @Test
    void aMutationWritesToTheShardOfItsParent() {
        Author author = author(6, "Writer");
        String response = ask("mutation { write(author: \"%d\", title: \"new\") { id title author { name } } }"
                .formatted(author.getId()));

        assertThat(read(response, "$..author.name")).containsExactly("Writer");
        assertThat(DATABASES.query(6, "SELECT id FROM $.article WHERE author_id = " + author.getId()))
                .isEqualTo(read(response, "$..id"));
    }

    @Test
    void aMissingRowIsNull() {
        assertThat(read(ask("{ article(id: 77777) { id } }"), "$..article")).containsExactly((String) null);
    }

    @Test
    void connectionsOverAllShardsAreFollowedByTheirCursors() {
        List<String> ids = IntStream.range(0, 8)
                .mapToObj(shard -> String.valueOf(author(shard, "Connected").getId()))
                .sorted()
                .toList();
        List<String> found = new ArrayList<>();
        String after = "";
        for (int page = 0; page < 3; page++) {
            String response = ask(("{ authorsInPages(name: \"Connected\", first: 3%s) { edges { node { id } }"
                            + " pageInfo { endCursor } } }")
                    .formatted(after));
            found.addAll(read(response, "$..node.id"));
            after = ", after: \"" + read(response, "$..endCursor").get(0) + "\"";
        }
        assertThat(found).isEqualTo(ids);
    }

    @Test
    void repositoriesFetchByExample() {
        author(1, "Twin");
        author(6, "Twin");
        Article article = ShardContext.call(
                6, () -> RunningWeb.bean(ArticleRepository.class).save(new Article("by example", author(6, "Solo"))));

        assertThat(read(ask("{ authorsByExample(name: \"Twin\") { name } }"), "$..name"))
                .containsExactly("Twin", "Twin");
        assertThat(read(
                        ask("{ articleByExample(id: \"%d\") { title author { name } } }".formatted(article.getId())),
                        "$..title"))
                .containsExactly("by example");
        assertThat(ask("{ articlesByExample(title: \"by example\") { id } }")).contains("INTERNAL_ERROR");
    }
}
