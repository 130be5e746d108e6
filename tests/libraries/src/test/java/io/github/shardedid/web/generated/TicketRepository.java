package io.github.shardedid.web.generated;

import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

/** Its projections are records. */
interface TicketRepository extends JpaRepository<Ticket, Long> {
    record Summary(Long id, String subject) {}

    List<Summary> findByAuthorId(Long author);

    <T> Optional<T> findProjectedById(Long id, Class<T> type);

    @AllShards
    List<Summary> findBySubject(String subject);

    @Query("select new io.github.shardedid.web.generated.TicketRepository$Summary(t.id, t.author.name)"
            + " from Ticket t where t.id = :id")
    Summary withNameOfAuthor(Long id);
}
