package io.github.shardedid.boot.differential;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.Savepoint;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.hibernate.FlushMode;
import org.hibernate.Hibernate;
import org.hibernate.Session;
import org.hibernate.engine.spi.SessionImplementor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The application on one of the two sides, with a thread of its own, since Spring binds transactions to threads: they stay
 * open from step to step.
 */
final class Side implements AutoCloseable {
    /** A transaction that steps have begun. */
    private record Open(TransactionStatus status, Written written, boolean outermost) {}

    private record Saved(Savepoint savepoint, int depth, Set<Integer> certain) {}

    private static final int BATCH = 8;

    final boolean sharded;
    final Numbers numbers;
    final Albums albums;
    final Members members;
    final Shots shots;
    final Marks marks;
    final Answers answers;
    final EntityManager em;

    /** Detached albums, which steps change and merge. */
    final Map<Integer, Album> kept = new HashMap<>();

    /** New rows that a flush is to cascade to, however late. */
    private final List<Row> fresh = new ArrayList<>();

    private final PlatformTransactionManager manager;
    private final Deque<Open> open = new ArrayDeque<>();
    private final Deque<Saved> savepoints = new ArrayDeque<>();
    private final Written outside = new Written();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();

    Side(ListableBeanFactory beans, boolean sharded, Numbers numbers) {
        this.sharded = sharded;
        this.numbers = numbers;
        albums = beans.getBean(Albums.class);
        members = beans.getBean(Members.class);
        shots = beans.getBean(Shots.class);
        marks = beans.getBean(Marks.class);
        answers = beans.getBean(Answers.class);
        em = SharedEntityManagerCreator.createSharedEntityManager(beans.getBean(EntityManagerFactory.class));
        manager = beans.getBean(PlatformTransactionManager.class);
    }

    /** Works in this side's thread. */
    <T extends @Nullable Object> T on(Callable<T> work) {
        try {
            return thread.submit(work).get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e.getCause() == null ? e : e.getCause());
        }
    }

    @SuppressWarnings("unchecked")
    JpaRepository<Row, Long> repository(Kind kind) {
        return (JpaRepository<Row, Long>) (JpaRepository<?, Long>)
                switch (kind) {
                    case MEMBER -> members;
                    case ALBUM -> albums;
                    case SHOT -> shots;
                    case MARK -> marks;
                };
    }

    long id(Kind kind, int number) {
        return numbers.id(kind, number);
    }

    /** A managed row, or null. Never a proxy, whose fields steps would change in vain. */
    @Nullable
    Row find(Kind kind, int number) {
        Row found = em.find(kind.type, id(kind, number));
        return found == null ? null : Hibernate.unproxy(found, Row.class);
    }

    /** Within the open transaction, or in one for this. */
    <T extends @Nullable Object> T atomically(Supplier<T> work) {
        if (inside()) {
            return work.get();
        }
        return new TransactionTemplate(manager).execute(status -> {
            T result = work.get();
            note(result);
            em.flush();
            noteManaged();
            return result;
        });
    }

    /** The same for steps that only read, which load in batches. */
    <T extends @Nullable Object> T reading(Supplier<T> work) {
        if (inside()) {
            return work.get();
        }
        return atomically(() -> {
            inBatches();
            return work.get();
        });
    }

    boolean inside() {
        return !open.isEmpty();
    }

    /** No query is made for an id that no shard can have made, so there is no flush ahead of it either. */
    void flushFor(int number) {
        if (number < 0 && inside() && flushesBeforeQueries()) {
            em.flush();
        }
    }

    /** Read-only transactions do if they were told to. */
    private boolean flushesBeforeQueries() {
        return !TransactionSynchronizationManager.isCurrentTransactionReadOnly()
                || em.unwrap(Session.class).getHibernateFlushMode() == FlushMode.AUTO;
    }

    void flush() {
        if (inside() && !TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            em.flush();
        }
    }

    /** Ids are not made in read-only transactions, except where there is a block of them left. */
    boolean mayMakeIds(int number) {
        return number < Numbers.GENERATED || !TransactionSynchronizationManager.isCurrentTransactionReadOnly();
    }

    int depth() {
        return open.size();
    }

    Written written() {
        Open top = open.peek();
        return top == null ? outside : top.written;
    }

    void begin(String propagation, boolean readOnly) {
        var definition = new DefaultTransactionDefinition();
        definition.setPropagationBehaviorName("PROPAGATION_" + propagation);
        definition.setReadOnly(readOnly);
        Open outer = open.peek();
        boolean inside = outer != null && !propagation.equals("REQUIRES_NEW");
        open.push(new Open(manager.getTransaction(definition), inside ? outer.written : new Written(), !inside));
        if (!inside && readOnly) {
            inBatches();
        }
    }

    /**
     * Batches hold rows of one shard, or of all. What is loaded decides what Hibernate makes of rows that are removed and added
     * again, so there are none where rows are written.
     */
    private void inBatches() {
        em.unwrap(Session.class).setFetchBatchSize(BATCH);
    }

    /** Spring with Hibernate has no nested transactions, but JDBC has savepoints. */
    void savepoint() {
        flush();
        Savepoint made = em.unwrap(Session.class).doReturningWork(Connection::setSavepoint);
        savepoints.push(new Saved(made, depth(), Set.copyOf(written().certain)));
    }

    /** Back to the latest savepoint of the innermost transaction. */
    void backToSavepoint() {
        Saved saved = savepoints.peek();
        if (saved != null && saved.depth == depth()) {
            savepoints.pop();
            em.unwrap(Session.class).doWork(connection -> connection.rollback(saved.savepoint));
            em.clear();
            written().certain.retainAll(saved.certain);
        }
    }

    /** Ends the innermost transaction; what the outer one holds may be older than what is stored now, so it is cleared. */
    void end(boolean commit) {
        savepoints.removeIf(saved -> saved.depth == depth());
        Open ended = open.pop();
        if (commit) {
            boolean commits = ended.outermost && !ended.status.isRollbackOnly();
            manager.commit(ended.status);
            if (commits) {
                ended.written.committed();
            }
        } else {
            manager.rollback(ended.status);
        }
        if (inside() && (ended.outermost || !commit)) {
            em.clear();
        }
    }

    void rollbackOnly() {
        Open top = open.peek();
        if (top != null) {
            top.status.setRollbackOnly();
        }
    }

    void rollbackAll() {
        while (inside()) {
            manager.rollback(open.pop().status);
        }
        savepoints.clear();
        outside.clear();
    }

    /** Tells the numbers of new rows' ids. */
    void note(@Nullable Object result) {
        if (sharded && result instanceof Row row && Hibernate.isInitialized(row)) {
            for (Kind kind : Kind.values()) {
                if (kind.type.isInstance(row)) {
                    numbers.made(kind, row);
                }
            }
            if (row instanceof Album album && Hibernate.isInitialized(album.shots)) {
                album.shots.forEach(this::note);
            }
        }
    }

    <R extends Row> R fresh(R row) {
        fresh.add(row);
        return row;
    }

    /** A new sequence. */
    void forget() {
        kept.clear();
        fresh.clear();
        numbers.forget();
    }

    void noteManaged() {
        fresh.forEach(this::note);
        if (sharded && TransactionSynchronizationManager.isActualTransactionActive()) {
            for (var entry : em.unwrap(SessionImplementor.class)
                    .getPersistenceContextInternal()
                    .reentrantSafeEntityEntries()) {
                note(entry.getKey());
            }
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
