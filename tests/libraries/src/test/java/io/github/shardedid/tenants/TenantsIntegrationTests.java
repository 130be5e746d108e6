package io.github.shardedid.tenants;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.databases.TwoDatabases;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.ShardKeys;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.domain.PageRequest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.orm.ObjectOptimisticLockingFailureException;
import org.springframework.orm.jpa.support.OpenEntityManagerInViewInterceptor;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.concurrent.DelegatingSecurityContextExecutorService;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.context.request.ServletWebRequest;

/** Two tenants of two databases, without any scope, as the pages show it. */
class TenantsIntegrationTests {
    private static final String ONE = of(1);
    private static final String TWO = of(6);

    private static final TwoDatabases databases = TwoDatabases.create();
    private static final ConfigurableApplicationContext context =
            databases.start(TenantsApp.class, "classpath:db/tenants");

    private static String of(int shard) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "tenant" + i)
                .filter(tenant -> ShardKeys.shardOf(tenant, 8) == shard)
                .findFirst()
                .orElseThrow();
    }

    @AfterAll
    static void stop() {
        context.close();
        databases.drop();
    }

    private final TicketRepository tickets = context.getBean(TicketRepository.class);
    private final LabelRepository labels = context.getBean(LabelRepository.class);
    private final JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
    private final TransactionTemplate transaction =
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

    private static <T> T as(String tenant, Supplier<T> work) {
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken(tenant, ""));
        try {
            return work.get();
        } finally {
            SecurityContextHolder.clearContext();
        }
    }

    @BeforeEach
    void oneTicketEach() {
        for (int shard : new int[] {1, 6}) {
            databases.of(shard).execute("TRUNCATE shard_000" + shard + ".ticket, shard_000" + shard + ".label");
        }
        for (String tenant : List.of(ONE, TWO)) {
            as(tenant, () -> tickets.save(new Ticket("of " + tenant)));
            as(tenant, () -> labels.save(new Label("of " + tenant)));
        }
    }

    @Test
    @Tag("quick")
    void repositoriesGoToTheShardOfTheTenant() {
        assertThat(databases.query(1, "SELECT subject FROM $.ticket")).containsExactly("of " + ONE);
        for (String tenant : List.of(ONE, TWO)) {
            for (Supplier<List<String>> read : List.<Supplier<List<String>>>of(
                    () -> tickets.findAll().stream().map(Ticket::subject).toList(),
                    () -> tickets.findAll(PageRequest.of(0, 5))
                            .map(Ticket::subject)
                            .toList(),
                    () -> tickets.findBySubjectStartingWith("of").stream()
                            .map(Ticket::subject)
                            .toList(),
                    () -> tickets.findAll((root, query, criteria) -> criteria.like(root.get("subject"), "of%")).stream()
                            .map(Ticket::subject)
                            .toList(),
                    tickets::subjects,
                    tickets::subjectsBySql,
                    () -> tickets.subjectsOfAll("of%"),
                    () -> transaction.execute(status -> jdbc.queryForList("SELECT subject FROM ticket", String.class)),
                    () -> transaction.execute(status -> labels.findAll().stream()
                            .map(label -> label.subject)
                            .toList()))) {
                assertThat(as(tenant, read)).containsExactly("of " + tenant);
            }
            assertThat(as(tenant, () -> tickets.count())).isEqualTo(1);
            assertThat(as(tenant, () -> tickets.countBySubject("of " + tenant))).isEqualTo(1);
            assertThat(as(tenant, () -> labels.count())).isEqualTo(1);
            Label label = as(tenant, () -> labels.findAll().get(0));
            assertThat(as(tenant, () -> labels.findById(label.id))).isPresent();
        }
    }

    @Test
    void writesGoToTheShardOfTheTenant() {
        as(ONE, () -> tickets.saveAll(List.of(new Ticket("second"), new Ticket("third"))));
        assertThat(as(ONE, () -> tickets.rename("renamed"))).isEqualTo(3);
        as(TWO, () -> tickets.deleteBySubject("of " + TWO));
        as(TWO, () -> {
            labels.deleteAll();
            return null;
        });
        assertThat(databases.query(1, "SELECT subject FROM $.ticket"))
                .containsOnly("renamed")
                .hasSize(3);
        assertThat(databases.query(6, "SELECT subject FROM $.ticket")).isEmpty();
        assertThat(databases.query(1, "SELECT subject FROM $.label")).hasSize(1);
        assertThat(databases.query(6, "SELECT subject FROM $.label")).isEmpty();
    }

    @Test
    void anotherScopeAndTheRootTenantAreRefused() {
        assertThatThrownBy(() -> as(ONE, () -> ShardContext.call(6, () -> tickets.findAll())))
                .hasStackTraceContaining(NoShardException.class.getName())
                .hasMessageContaining("shard 1");
        for (ThrowingCallable call : List.<ThrowingCallable>of(tickets::findAll, tickets::subjects)) {
            assertThatThrownBy(call)
                    .isInstanceOf(NoShardException.class)
                    .hasFieldOrPropertyWithValue("ofValue", true)
                    .hasStackTraceContaining("The tenant of the session names none: it is the root tenant");
        }
        assertThatThrownBy(() ->
                        transaction.execute(status -> jdbc.queryForList("SELECT subject FROM ticket", String.class)))
                .isInstanceOf(NoShardException.class)
                .hasMessageContaining("The tenant of the session names none: it is the root tenant");
        assertThatThrownBy(() -> as(ONE, () -> jdbc.queryForList("SELECT subject FROM ticket", String.class)))
                .isInstanceOf(NoShardException.class)
                .hasMessageContaining("call it in a transaction");
        assertThat(ShardContext.call(6, () -> tickets.findAll())).hasSize(1);
        assertThat(tickets.subjectsOfAll("of%")).containsExactlyInAnyOrder("of " + ONE, "of " + TWO);
    }

    private static <T> T of(String customer, Supplier<T> work) {
        TenantsApp.CUSTOMER.set(customer);
        try {
            return work.get();
        } finally {
            TenantsApp.CUSTOMER.remove();
        }
    }

    @Test
    @Tag("quick")
    void withoutATenantTheKeyOfTheRequestNamesTheShard() {
        ParcelRepository parcels = context.getBean(ParcelRepository.class);
        for (String customer : List.of(ONE, TWO)) {
            of(customer, () -> parcels.save(new Parcel(customer, "for " + customer)));
        }
        for (String customer : List.of(ONE, TWO)) {
            assertThat(of(customer, () -> parcels.findAll())).hasSize(1);
            assertThat(of(customer, () -> parcels.count())).isEqualTo(1);
            assertThat(of(customer, () -> parcels.findBySubject("for " + customer)))
                    .hasSize(1);
            assertThat(of(customer, () -> jdbc.queryForObject("SELECT subject FROM parcel", String.class)))
                    .isEqualTo("for " + customer);
            Integer changed = of(
                    customer,
                    () -> transaction.execute(status -> jdbc.update("UPDATE parcel SET subject = subject || '!'")));
            assertThat(changed).isEqualTo(1);
        }
        // As for any JDBC sharding key, an open scope counts first.
        assertThat(of(ONE, () -> ShardContext.call(6, () -> parcels.findAll().get(0).subject)))
                .isEqualTo("for " + TWO + "!");
        assertThat(of(ONE, () -> as(TWO, () -> jdbc.queryForList("SELECT subject FROM ticket", String.class))))
                .containsExactly("of " + ONE);
        assertThatThrownBy(parcels::findAll)
                .isInstanceOf(NoShardException.class)
                .hasFieldOrPropertyWithValue("ofValue", true)
                .hasCauseInstanceOf(NoShardException.class);
        assertThatThrownBy(() -> parcels.findByCustomerIgnoreCase(ONE))
                .isInstanceOf(NoShardException.class)
                .hasFieldOrPropertyWithValue("ofValue", true)
                .hasMessageContaining("compares the shard key with IgnoreCase");
        assertThatThrownBy(() -> jdbc.queryForList("SELECT subject FROM parcel"))
                .isInstanceOf(NoShardException.class);
    }

    @Test
    void aRowThatAnotherSessionHasChangedIsNotOverwritten() {
        Ticket read = as(TWO, () -> tickets.findAll().get(0));
        databases.of(6).execute("UPDATE shard_0006.ticket SET version = version + 1, subject = 'theirs'");
        read.subject = "ours";
        assertThatThrownBy(() -> as(TWO, () -> tickets.save(read)))
                .isInstanceOf(ObjectOptimisticLockingFailureException.class);
        assertThatThrownBy(() -> as(TWO, () -> {
                    tickets.delete(read);
                    return read;
                }))
                .isInstanceOf(ObjectOptimisticLockingFailureException.class);
        assertThat(databases.query(6, "SELECT subject FROM $.ticket")).containsExactly("theirs");
        Ticket again = as(TWO, () -> tickets.findById(requireNonNull(read.id)).orElseThrow());
        again.subject = "ours";
        as(TWO, () -> tickets.save(again));
        assertThat(databases.query(6, "SELECT subject FROM $.ticket")).containsExactly("ours");
    }

    @Test
    void aViewHasTheTenantWithWhichItWasOpened() {
        OpenEntityManagerInViewInterceptor view = new OpenEntityManagerInViewInterceptor();
        view.setEntityManagerFactory(context.getBean(EntityManagerFactory.class));
        ServletWebRequest request = new ServletWebRequest(new MockHttpServletRequest());
        as(ONE, () -> {
            view.preHandle(request);
            return request;
        });
        try {
            Ticket read = tickets.findAll().get(0);
            assertThat(read.subject()).isEqualTo("of " + ONE);
            transaction.executeWithoutResult(status -> tickets.findAll().get(0).subject = "in the view");
            assertThat(as(TWO, tickets::subjects)).containsExactly("in the view");
            assertThat(tickets.findAll()).containsExactly(read);
        } finally {
            view.afterCompletion(request, null);
        }
        assertThat(databases.query(1, "SELECT subject FROM $.ticket")).containsExactly("in the view");
        assertThat(databases.query(6, "SELECT subject FROM $.ticket")).containsExactly("of " + TWO);
    }

    @Test
    void aKeyThatChangesInATransactionWritesToNoSecondShard() {
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    of(ONE, () -> jdbc.update("UPDATE ticket SET subject = 'lost'"));
                    of(TWO, () -> jdbc.update("UPDATE ticket SET subject = 'lost'"));
                }))
                .isInstanceOf(SecondWriteShardException.class);
        assertThat(databases.query(1, "SELECT subject FROM $.ticket")).containsExactly("of " + ONE);
        assertThat(databases.query(6, "SELECT subject FROM $.ticket")).containsExactly("of " + TWO);
    }

    @Test
    void aTransactionHasTheTenantWithWhichItHasBegun() {
        TransactionTemplate inner = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        as(
                ONE,
                () -> transaction.execute(status -> {
                    tickets.save(new Ticket("outer"));
                    as(TWO, () -> inner.execute(further -> tickets.save(new Ticket("inner"))));
                    assertThat(as(TWO, tickets::subjects)).containsExactlyInAnyOrder("of " + ONE, "outer");
                    List<String> ofTwo = as(TWO, () -> inner.execute(further -> tickets.subjects()));
                    assertThat(ofTwo).containsExactlyInAnyOrder("of " + TWO, "inner");
                    return status;
                }));
        assertThat(databases.query(1, "SELECT subject FROM $.ticket")).containsExactlyInAnyOrder("of " + ONE, "outer");
        assertThat(databases.query(6, "SELECT subject FROM $.ticket")).containsExactlyInAnyOrder("of " + TWO, "inner");
    }

    @Test
    void otherThreadsHaveTheTenantOfTheirCaller() {
        TenantsApp.Background background = context.getBean(TenantsApp.Background.class);
        assertThat(as(ONE, () -> background.count()).join()).isEqualTo(1);
        ExecutorService threads = new DelegatingSecurityContextExecutorService(Executors.newSingleThreadExecutor());
        try {
            assertThat(as(TWO, () -> submitted(threads))).isEqualTo(List.of("of " + TWO));
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void jobsAndListenersHaveTheTenantsThatTheyTake() {
        TenantWork work = new TenantWork(context.getBean(TicketRepository.class), List.of(ONE, TWO));
        work.renameAll();
        work.onMessage(new TenantWork.Message(TWO, "by message"));
        assertThat(as(ONE, () -> tickets.subjects())).containsExactly("renamed");
        assertThat(as(TWO, () -> tickets.subjects())).containsExactlyInAnyOrder("renamed", "by message");
        assertThat(SecurityContextHolder.getContext().getAuthentication()).isNull();
    }

    private List<String> submitted(ExecutorService threads) {
        try {
            return threads.submit(tickets::subjects).get();
        } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anEntityManagerIsRoutedToo() {
        EntityManager entities = context.getBean(EntityManager.class);
        assertThat(as(TWO, () -> entities.createQuery("select t.subject from Ticket t", String.class)
                        .getResultList()))
                .containsExactly("of " + TWO);
    }
}
