package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.boot.events.Entries;
import io.github.shardedid.boot.events.Entry;
import io.github.shardedid.boot.events.EventsApp;
import io.github.shardedid.boot.events.Probe;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.jpa.domain.Specification;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Listeners, callbacks and auditing run in the scope that the application has opened, whichever method of a repository is called. */
class ApplicationCodeIntegrationTests {
    private static final long VISITOR = 90_003; // in shard 3
    private static final long OTHER = 90_006; // in shard 6

    private static ConfigurableApplicationContext context;
    private static Entries entries;
    private static Probe probe;
    private static JdbcTemplate jdbc;

    @BeforeAll
    static void start() {
        context = RunningApp.shared().start(EventsApp.class);
        entries = context.getBean(Entries.class);
        probe = context.getBean(Probe.class);
        jdbc = context.getBean(JdbcTemplate.class);
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @BeforeEach
    void noWork() {
        probe.begin(0, () -> {});
    }

    /** Saved rows, whose asynchronous events have been received, too. */
    private static List<Entry> saved(long... visitors) {
        List<Entry> rows = new ArrayList<>();
        seen(
                () -> {
                    for (long visitor : visitors) {
                        rows.add(entries.save(new Entry(visitor)));
                    }
                },
                visitors.length);
        return rows;
    }

    private static Set<String> seen(Runnable call) {
        return seen(call, 0);
    }

    /** What was noted, once the asynchronous listener has received so many events. */
    private static Set<String> seen(Runnable call, int events) {
        CountDownLatch received = probe.begin(events, () -> {});
        call.run();
        try {
            assertThat(received.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return probe.seen();
    }

    @Test
    void eachWayToSaveIsTheSame() {
        String[] shown = {"afterCommit", "async", "auditor", "beforeCommit", "event", "postPersist", "prePersist"};
        assertThat(seen(() -> entries.save(new Entry(VISITOR)), 1)).containsExactly(shown);
        assertThat(seen(() -> entries.saveAll(List.of(new Entry(VISITOR))), 1)).containsExactly(shown);
        assertThat(seen(() -> entries.saveAllAndFlush(List.of(new Entry(VISITOR))), 1))
                .containsExactly(shown);
        assertThat(seen(() -> entries.saveAll(List.of(new Entry(VISITOR), new Entry(OTHER))), 2))
                .containsExactly(shown);
    }

    @Test
    void eachWayToChangeIsTheSame() {
        String[] shown = {
            "afterCommit", "async", "auditor", "beforeCommit", "event", "postLoad", "postUpdate", "preUpdate"
        };
        Consumer<Consumer<Entry>> changed = save -> {
            Entry row = saved(VISITOR).get(0);
            row.setPage("changed");
            probe.seen();
            assertThat(seen(() -> save.accept(row), 1)).containsExactly(shown);
        };
        changed.accept(entries::save);
        changed.accept(row -> entries.saveAll(List.of(row)));
        changed.accept(entries::saveAndFlush);
    }

    @Test
    void eachWayToDeleteIsTheSame() {
        String[] shown = {"afterCommit", "async", "beforeCommit", "event", "postLoad", "postRemove", "preRemove"};
        Entry one = saved(VISITOR).get(0);
        assertThat(seen(() -> entries.delete(one), 1)).containsExactly(shown);
        List<Entry> all = saved(VISITOR);
        assertThat(seen(() -> entries.deleteAll(all), 1)).containsExactly(shown);
        List<Entry> batch = saved(VISITOR);
        assertThat(seen(() -> entries.deleteAllInBatch(batch), 1))
                .containsExactly("afterCommit", "async", "beforeCommit", "event");
        List<Entry> two = saved(VISITOR, OTHER);
        assertThat(seen(() -> entries.deleteAll(two), 2)).containsExactly(shown);
        long id = saved(VISITOR).get(0).id();
        assertThat(seen(() -> entries.deleteById(id))).containsExactly("postLoad", "postRemove", "preRemove");
        long other = saved(VISITOR).get(0).id();
        assertThat(seen(() -> entries.deleteAllById(List.of(other))))
                .containsExactly("postLoad", "postRemove", "preRemove");
        saved(VISITOR);
        assertThat(seen(() -> entries.deleteByVisitor(VISITOR))).containsExactly("postLoad", "postRemove", "preRemove");
    }

    @Test
    void eachWayToReadIsTheSame() {
        Entry row = saved(VISITOR).get(0);
        List<Runnable> reads = List.of(
                () -> entries.findById(row.id()),
                () -> entries.findAllById(List.of(row.id())),
                () -> entries.findByVisitor(VISITOR),
                () -> entries.declared(VISITOR),
                () -> entries.findByVisitorIn(List.of(VISITOR, OTHER)),
                () -> entries.findByPageOrderById("somebody"),
                () -> entries.findAll((root, query, builder) -> builder.equal(root.get("visitor"), VISITOR)));
        for (Runnable read : reads) {
            assertThat(seen(read)).containsExactly("postLoad");
        }
    }

    @Test
    void aScopeOfTheApplicationCounts() {
        for (Runnable save : List.<Runnable>of(
                () -> entries.save(new Entry(VISITOR)), () -> entries.saveAll(List.of(new Entry(VISITOR))))) {
            assertThat(seen(() -> ShardContext.run(3, save), 1))
                    .containsExactly(
                            "afterCommit in shard 3",
                            "async in shard 3",
                            "auditor in shard 3",
                            "beforeCommit in shard 3",
                            "event in shard 3",
                            "postPersist in shard 3",
                            "prePersist in shard 3");
        }
        Entry row = saved(VISITOR).get(0);
        assertThat(seen(() -> ShardContext.run(5, () -> entries.findById(row.id()))))
                .containsExactly("postLoad in shard 5");
    }

    @Test
    void whatAListenerAsksWithoutAShardIsRefused() {
        for (Consumer<Entry> save :
                List.<Consumer<Entry>>of(entries::save, row -> entries.saveAll(List.of(row)), entries::saveAndFlush)) {
            probe.begin(1, () -> entries.countByPage("x"));
            assertThatThrownBy(() -> save.accept(new Entry(VISITOR)))
                    .isInstanceOf(NoShardException.class)
                    .hasFieldOrPropertyWithValue("ofValue", true);
            probe.begin(1, () -> jdbc.queryForObject("select count(*) from visit", Long.class));
            assertThatThrownBy(() -> save.accept(new Entry(VISITOR))).isInstanceOf(NoShardException.class);
        }
    }

    @Test
    void whatAListenerDoesByIdOrInAScopeWorks() {
        Entry other = saved(OTHER).get(0);
        List<Object> found = new ArrayList<>();
        probe.begin(1, () -> {
            found.add(entries.findById(other.id()).orElseThrow().id());
            found.add(entries.findByVisitor(OTHER).isEmpty());
            found.add(ShardContext.<Boolean>call(6, () -> entries.countByPage("somebody") > 0));
            found.add(ShardContext.<Boolean>call(
                    6, () -> !jdbc.queryForList("select id from visit").isEmpty()));
        });
        entries.saveAll(List.of(new Entry(VISITOR)));
        assertThat(found).containsExactly(other.id(), false, true, true);
    }

    @Test
    void codeThatAQueryCallsIsNotInItsShard() {
        List<Throwable> thrown = new ArrayList<>();
        Specification<Entry> asking = (root, query, builder) -> {
            try {
                entries.countByPage("x");
            } catch (NoShardException e) {
                thrown.add(e);
            }
            return builder.equal(root.get("visitor"), VISITOR);
        };
        entries.findAll(asking);
        assertThat(thrown).hasSize(1);
    }

    @Test
    void ownCodeWithAnAnnotationRunsInTheScopeThatItAsksFor() {
        saved(VISITOR, OTHER);
        long one = entries.countIn(VISITOR, "somebody");
        assertThat(one).isPositive();
        assertThat(entries.countEverywhere("somebody")).isGreaterThan(one);
        assertThat(entries.countInFragment("somebody")).isGreaterThan(one);
    }

    @Test
    void withinATransactionOfTheApplicationAllIsTheSame() {
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        for (Runnable save : List.<Runnable>of(
                () -> entries.save(new Entry(VISITOR)), () -> entries.saveAll(List.of(new Entry(VISITOR))))) {
            assertThat(seen(() -> transaction.executeWithoutResult(status -> save.run()), 1))
                    .containsExactly(
                            "afterCommit", "async", "auditor", "beforeCommit", "event", "postPersist", "prePersist");
        }
    }
}
