package io.github.shardedid.tenants;

import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.JpaSpecificationExecutor;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.transaction.annotation.Transactional;

interface TicketRepository extends JpaRepository<Ticket, Long>, JpaSpecificationExecutor<Ticket> {
    List<Ticket> findBySubjectStartingWith(String start);

    long countBySubject(String subject);

    @Query("select t.subject from Ticket t")
    List<String> subjects();

    @Query(value = "SELECT subject FROM ticket", nativeQuery = true)
    List<String> subjectsBySql();

    @AllShards
    @Query("select t.subject from Ticket t where t.subject like ?1")
    List<String> subjectsOfAll(String like);

    @Transactional
    @Modifying
    @Query("update Ticket t set t.subject = ?1")
    int rename(String subject);

    @Transactional
    long deleteBySubject(String subject);
}
