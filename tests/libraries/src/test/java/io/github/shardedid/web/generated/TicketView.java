package io.github.shardedid.web.generated;

import io.github.shardedid.spring.id.IdOf;
import io.github.shardedid.web.Author;
import java.util.List;

/** A ticket in JSON. */
record TicketView(@IdOf(Ticket.class) Long id, String subject, @IdOf(Author.class) Long author, List<String> replies) {
    /** A new ticket, sent by a client. */
    record Draft(String subject, @IdOf(Author.class) Long author, List<String> replies) {}
}
