package io.github.shardedid.boot.events;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import jakarta.annotation.PostConstruct;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

/** Notes in which scope code of the application runs. */
@Component
public class Probe {
    private static @Nullable Probe current;

    private final Set<String> seen = new ConcurrentSkipListSet<>();
    private volatile Runnable work = () -> {};
    private volatile CountDownLatch async = new CountDownLatch(0);

    @PostConstruct
    void begin() {
        current = this;
    }

    static Probe current() {
        return Objects.requireNonNull(current);
    }

    public void note(String where) {
        Target target = ShardContext.target();
        seen.add(where + (target == null ? "" : " in " + target));
    }

    /** What has been noted since. */
    public Set<String> seen() {
        Set<String> copy = new TreeSet<>(seen);
        seen.clear();
        return copy;
    }

    /** Work of the listeners, until the returned latch is down, after so many events. */
    public CountDownLatch begin(int events, Runnable newWork) {
        seen();
        work = newWork;
        async = new CountDownLatch(events);
        return async;
    }

    @EventListener
    public void on(Entry.Noted event) {
        note("event");
        work.run();
    }

    @TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
    public void beforeCommit(Entry.Noted event) {
        note("beforeCommit");
    }

    @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
    public void afterCommit(Entry.Noted event) {
        note("afterCommit");
    }

    @Async
    @EventListener
    public void later(Entry.Noted event) {
        note("async");
        async.countDown();
    }
}
