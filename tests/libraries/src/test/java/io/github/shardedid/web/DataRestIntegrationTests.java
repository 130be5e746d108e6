package io.github.shardedid.web;

import static io.github.shardedid.web.RunningWeb.DATABASES;
import static io.github.shardedid.web.RunningWeb.client;
import static io.github.shardedid.web.RunningWeb.shardOf;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

/** Spring Data REST: its resources are repositories, called over HTTP. */
class DataRestIntegrationTests {
    private static final MediaType LINK = MediaType.parseMediaType("text/uri-list");

    @BeforeAll
    static void startTheApplication() {
        assertThat(RunningWeb.bean(WebApp.class)).isNotNull();
    }

    private static URI created(String path, Map<String, String> body) {
        return requireNonNull(client().post()
                .uri(path)
                .contentType(MediaType.APPLICATION_JSON)
                .body(body)
                .exchange()
                .expectStatus()
                .isCreated()
                .returnResult()
                .getResponseHeaders()
                .getLocation());
    }

    private static URI author(int shard, String name) {
        return URI.create("/authors/" + RunningWeb.author(shard, name).getId());
    }

    private static long idOf(URI location) {
        String path = location.getPath();
        return Long.parseLong(path.substring(path.lastIndexOf('/') + 1));
    }

    /** The rows of a query in the shard of a resource, as the database has them. */
    private static List<String> rows(URI resource, String sql) {
        long id = idOf(resource);
        return DATABASES.query(shardOf(id), sql.replace("?", Long.toString(id)));
    }

    private static String body(URI uri) {
        return requireNonNull(client().get()
                .uri(uri)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .returnResult()
                .getResponseBody());
    }

    private static RestTestClient.ResponseSpec patch(URI uri, Map<String, String> body, String... ifMatch) {
        RestTestClient.RequestBodySpec request = client().patch().uri(uri).contentType(MediaType.APPLICATION_JSON);
        for (String version : ifMatch) {
            request.header(HttpHeaders.IF_MATCH, version);
        }
        return request.body(body).exchange();
    }

    private static RestTestClient.ResponseSpec link(URI association, String target) {
        return client().put().uri(association).contentType(LINK).body(target).exchange();
    }

    @Test
    void resourcesAreCreatedReadChangedAndDeletedByTheirIds() {
        URI ada = created("/authors", Map.of("name", "Ada"));
        assertThat(rows(ada, "SELECT name FROM $.author WHERE id = ?")).containsExactly("Ada");

        assertThat(JsonPath.<String>read(body(ada), "$.name")).isEqualTo("Ada");
        patch(ada, Map.of("name", "Ada L."), "\"0\"").expectStatus().is2xxSuccessful();
        assertThat(rows(ada, "SELECT name || ' ' || version FROM $.author WHERE id = ?"))
                .containsExactly("Ada L. 1");
        patch(ada, Map.of("name", "stale"), "\"0\"").expectStatus().isEqualTo(412);
        client().put()
                .uri(ada)
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of("name", "Lovelace"))
                .exchange()
                .expectStatus()
                .is2xxSuccessful();
        assertThat(rows(ada, "SELECT name FROM $.author WHERE id = ?")).containsExactly("Lovelace");
        client().delete().uri(ada).exchange().expectStatus().isNoContent();
        assertThat(rows(ada, "SELECT name FROM $.author WHERE id = ?")).isEmpty();
        client().get().uri(ada).exchange().expectStatus().isNotFound();
    }

    @Test
    void idsThatNoRowCanHaveAreNotFound() {
        client().get().uri("/authors/1").exchange().expectStatus().isNotFound();
        client().get()
                .uri("/authors/" + Long.MAX_VALUE)
                .exchange()
                .expectStatus()
                .isNotFound();
    }

    @Test
    void anAssociationToTheShardKeyChoosesTheShard() {
        URI author = author(6, "Charles");
        URI article = created("/articles", Map.of("title", "Engines", "author", author.toString()));

        assertThat(rows(article, "SELECT author_id FROM $.article WHERE id = ?"))
                .containsExactly(Long.toString(idOf(author)));
        assertThat(shardOf(idOf(article))).isEqualTo(6);
        assertThat(JsonPath.<String>read(body(URI.create(article + "/author")), "$.name"))
                .isEqualTo("Charles");
        String exposed = "$._embedded.articles[0].id";
        assertThat(JsonPath.<String>read(body(URI.create(author + "/articles")), exposed))
                .isEqualTo(Long.toString(idOf(article)));
        assertThat(JsonPath.<String>read(body(URI.create("/articles/search/findByAuthor?author=" + author)), exposed))
                .isEqualTo(Long.toString(idOf(article)));
    }

    @Test
    void anAssociationToAnotherShardIsRefusedAndChangesNothing() {
        URI author = author(6, "Grace");
        URI other = author(1, "Barbara");
        URI article = created("/articles", Map.of("title", "Compilers", "author", author.toString()));

        link(URI.create(article + "/author"), other.toString()).expectStatus().is5xxServerError();
        patch(article, Map.of("author", other.toString())).expectStatus().is5xxServerError();

        assertThat(rows(article, "SELECT author_id FROM $.article WHERE id = ?"))
                .containsExactly(Long.toString(idOf(author)));
    }

    @Test
    void aResourceWithoutTheAssociationThatChoosesItsShardIsRefused() {
        client().post()
                .uri("/articles")
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of("title", "of nobody"))
                .exchange()
                .expectStatus()
                .is5xxServerError();
    }

    @Test
    void anAssociationToAGlobalEntityIsSetAndRead() {
        URI author = author(5, "Maria");

        link(URI.create(author + "/country"), "/countries/it").expectStatus().isNoContent();

        assertThat(rows(author, "SELECT country_code FROM $.author WHERE id = ?"))
                .containsExactly("it");
        assertThat(JsonPath.<String>read(body(URI.create(author + "/country")), "$.name"))
                .isEqualTo("Italy");
        assertThat(JsonPath.<List<String>>read(body(URI.create("/countries")), "$._embedded.countries[*].name"))
                .contains("Italy", "France");
    }

    @Test
    void thePagesOfAllShardsAreFollowedByTheirLinks() {
        List<URI> authors =
                IntStream.range(0, 8).mapToObj(shard -> author(shard, "Paged")).toList();

        assertThat(followed(URI.create("/authors/search/findByNameStartingWith?name=Paged&size=3")))
                .containsExactlyElementsOf(authors.stream()
                        .map(DataRestIntegrationTests::idOf)
                        .sorted()
                        .toList());
        assertThat(followed(URI.create("/authors?size=5")))
                .doesNotHaveDuplicates()
                .containsAll(
                        authors.stream().map(DataRestIntegrationTests::idOf).toList());
    }

    private static List<Long> followed(URI first) {
        List<Long> ids = new ArrayList<>();
        URI next = first;
        while (next != null) {
            String page = body(next);
            JsonPath.<List<String>>read(page, "$._embedded.authors[*]._links.self.href")
                    .forEach(self -> ids.add(idOf(URI.create(self))));
            List<String> following = JsonPath.read(page, "$..next.href");
            next = following.isEmpty() ? null : URI.create(following.get(0));
        }
        return ids;
    }

    @Test
    void aCollectionThatDeterminesNoShardIsRefused() {
        client().get().uri("/articles").exchange().expectStatus().is5xxServerError();
    }
}
