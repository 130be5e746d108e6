package io.github.shardedid.web.generated;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.github.shardedid.web.Author;
import io.github.shardedid.web.RunningWeb;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

/** Entities of Lombok, mappers of MapStruct, and records as projections. */
class GeneratedCodeIntegrationTests {
    private static Author author;
    private static TicketRepository tickets;

    @BeforeAll
    static void startTheApplication() {
        author = RunningWeb.author(6, "Ada");
        tickets = RunningWeb.bean(TicketRepository.class);
    }

    private static Ticket ticket(String subject, String reply) {
        Ticket ticket = Ticket.builder().subject(subject).author(author).build();
        ticket.getReplies().add(new Reply(reply, ticket));
        return tickets.save(ticket);
    }

    private static List<String> query(String sql) {
        return RunningWeb.DATABASES.query(6, sql);
    }

    @Test
    void anEntityOfLombokIsBuiltStoredReadAndChanged() {
        Ticket ticket = ticket("broken", "how?");
        long id = requireNonNull(ticket.getId());
        assertThat(ticket.toString()).contains("id=" + id, "subject=broken");
        assertThat(query("SELECT words FROM $.reply WHERE ticket_id = " + id)).containsExactly("how?");

        Ticket found = tickets.findById(id).orElseThrow();
        found.setSubject("mended");
        tickets.save(found);

        assertThat(query("SELECT subject FROM $.ticket WHERE id = " + id)).containsExactly("mended");
        assertThat(tickets.findById(id)).get().extracting(Ticket::getSubject).isEqualTo("mended");
    }

    @Test
    void recordsAreProjectionsOfOneShardAndOfAll() {
        long id = requireNonNull(ticket("projected", "yes").getId());
        TicketRepository.Summary summary = new TicketRepository.Summary(id, "projected");

        assertThat(tickets.findByAuthorId(requireNonNull(author.getId()))).contains(summary);
        assertThat(tickets.findProjectedById(id, TicketRepository.Summary.class))
                .contains(summary);
        assertThat(tickets.findBySubject("projected")).containsExactly(summary);
        assertThat(tickets.withNameOfAuthor(id)).isEqualTo(new TicketRepository.Summary(id, "Ada"));
    }

    private static String body(RestTestClient.RequestHeadersSpec<?> request) {
        return requireNonNull(request.exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .returnResult()
                .getResponseBody());
    }

    @Test
    void mapStructMapsEntitiesToRecordsAndBack() {
        String written = body(RunningWeb.client()
                .post()
                .uri("/tickets")
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of("subject", "mapped", "author", "" + author.getId(), "replies", List.of("one", "two"))));
        String id = JsonPath.read(written, "$.id");

        assertThat(query("SELECT author_id FROM $.ticket WHERE id = " + id)).containsExactly("" + author.getId());
        assertThat(query("SELECT words FROM $.reply WHERE ticket_id = " + id)).containsExactlyInAnyOrder("one", "two");
        String read = body(RunningWeb.client().get().uri("/tickets/" + id));
        assertThat(JsonPath.<String>read(read, "$.author")).isEqualTo("" + author.getId());
        assertThat(JsonPath.<List<String>>read(read, "$.replies")).containsExactlyInAnyOrder("one", "two");
    }
}
