package io.github.shardedid.web.generated;

import io.github.shardedid.spring.id.IdOf;
import lombok.RequiredArgsConstructor;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequiredArgsConstructor
class Tickets {
    private final TicketRepository tickets;
    private final TicketMapper mapper;

    @GetMapping("/tickets/{id}")
    @Transactional(readOnly = true)
    TicketView ticket(@PathVariable @IdOf(Ticket.class) long id) {
        return mapper.view(tickets.findById(id).orElseThrow());
    }

    @PostMapping("/tickets")
    @Transactional
    TicketView write(@RequestBody TicketView.Draft draft) {
        return mapper.view(tickets.save(mapper.ticket(draft)));
    }
}
