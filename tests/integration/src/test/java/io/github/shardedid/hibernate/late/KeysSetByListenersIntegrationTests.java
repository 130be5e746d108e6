package io.github.shardedid.hibernate.late;

import static io.github.shardedid.hibernate.late.BillsCluster.tenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.late.Bills.ByText;
import io.github.shardedid.hibernate.late.Bills.Leaf;
import io.github.shardedid.hibernate.late.Bills.OwnText;
import io.github.shardedid.hibernate.late.Bills.Row;
import io.github.shardedid.hibernate.late.Bills.TextDefaulted;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.WrongShardException;
import io.github.shardedid.topology.ShardKeys;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.hibernate.Interceptor;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A listener or an interceptor of the application that sets a shard key of another shard, as the last that sees the values. */
@Tag("quick")
class KeysSetByListenersIntegrationTests {
    private static final int HERE = 1;
    private static final int ELSEWHERE = 6;

    private static BillsCluster bills;
    private static SessionFactory listened;
    private static SessionFactory intercepted;

    /** What is set, of the attribute with the name. */
    private record Setting(String attribute, @Nullable Object value) {
        void apply(String[] names, @Nullable Object[] state) {
            int index = Arrays.asList(names).indexOf(attribute);
            if (index >= 0) {
                state[index] = value;
            }
        }
    }

    private static @Nullable Setting setting;

    /** A stateless session calls it after the listeners. */
    private static final class Setter implements Interceptor {
        @Override
        public void onInsert(Object entity, Object id, Object[] state, String[] names, Type[] types) {
            set(names, state);
        }

        @Override
        public void onUpdate(Object entity, Object id, Object[] state, String[] names, Type[] types) {
            set(names, state);
        }

        @Override
        public void onUpsert(Object entity, Object id, Object[] state, String[] names, Type[] types) {
            set(names, state);
        }
    }

    private static void set(String[] names, @Nullable Object[] state) {
        if (setting != null) {
            setting.apply(names, state);
        }
    }

    enum Way {
        LISTENER,
        INTERCEPTOR
    }

    @BeforeAll
    static void start() {
        bills = new BillsCluster();
        listened = bills.configuration(Bills.BY_TEXT).buildSessionFactory();
        EventListenerRegistry registry = ((SessionFactoryImplementor) listened).getEventListenerRegistry();
        registry.appendListeners(EventType.PRE_INSERT, event -> {
            set(event.getPersister().getPropertyNames(), event.getState());
            return false;
        });
        registry.appendListeners(EventType.PRE_UPDATE, event -> {
            set(event.getPersister().getPropertyNames(), event.getState());
            return false;
        });
        registry.appendListeners(EventType.PRE_UPSERT, event -> {
            set(event.getPersister().getPropertyNames(), event.getState());
            return false;
        });
        var configuration = bills.configuration(Bills.BY_TEXT);
        configuration.setInterceptor(new Setter());
        intercepted = configuration.buildSessionFactory();
    }

    @AfterAll
    static void stop() {
        listened.close();
        intercepted.close();
        bills.close();
    }

    @AfterEach
    void noConnectionIsLeaked() {
        setting = null;
        assertThat(bills.databases.activeConnections()).isZero();
    }

    private static void setting(String attribute, @Nullable Object value, Runnable work) {
        setting = new Setting(attribute, value);
        try {
            work.run();
        } finally {
            setting = null;
        }
    }

    private static final String KEY = "shard key";
    private static final String REFERENCE = ", but refers to ";

    private static void refused(String table, String kind, Runnable work) {
        List<String> before = bills.rows(table);
        assertThatThrownBy(work::run)
                .hasStackTraceContaining(WrongShardException.class.getName())
                .hasStackTraceContaining(kind)
                .hasStackTraceContaining(kind.equals(KEY) ? "Nothing of the row was sent" : "Nothing was sent");
        assertThat(bills.rows(table)).isEqualTo(before);
    }

    private static <E extends Row> E saved(E row) {
        listened.inTransaction(session -> session.persist(row));
        return row;
    }

    private static ByText text(int shard) {
        ByText row = new ByText();
        row.id = bills.newId(shard);
        row.tenant = tenant(shard);
        return row;
    }

    private static OwnText own(int shard) {
        OwnText row = new OwnText();
        row.id = UUID.randomUUID();
        row.tenant = tenant(shard);
        return row;
    }

    @Test
    void aRowOfASession() {
        ByText saved = saved(text(HERE));
        OwnText own = saved(own(HERE));
        setting("tenant", tenant(ELSEWHERE), () -> {
            refused("by_text", KEY, () -> saved(text(HERE)));
            refused("by_text", KEY, () -> {
                ByText generated = new ByText();
                generated.tenant = tenant(HERE);
                saved(generated);
            });
            refused("text_defaulted", KEY, () -> {
                TextDefaulted row = new TextDefaulted();
                row.tenant = tenant(HERE);
                saved(row);
            });
            refused(
                    "by_text",
                    KEY,
                    () -> listened.inTransaction(session -> session.find(ByText.class, saved.id).words = "changed"));
            refused("own_text", KEY, () -> saved(own(HERE)));
            refused(
                    "own_text",
                    KEY,
                    () -> listened.inTransaction(session ->
                            ShardContext.call(HERE, () -> session.find(OwnText.class, own.id)).words = "changed"));
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRowOfAStatelessSession(Way way) {
        SessionFactory sessions = way == Way.LISTENER ? listened : intercepted;
        ByText saved = saved(text(HERE));
        setting("tenant", tenant(ELSEWHERE), () -> {
            for (Consumer<StatelessSession> each : List.<Consumer<StatelessSession>>of(
                    session -> session.insert(text(HERE)),
                    session -> session.insertMultiple(List.of(text(HERE), text(HERE))),
                    session -> session.update(saved),
                    session -> session.upsert(text(HERE)),
                    session -> session.upsert(saved))) {
                refused("by_text", KEY, () -> sessions.inStatelessTransaction(each));
            }
            refused("text_defaulted", KEY, () -> {
                TextDefaulted row = new TextDefaulted();
                row.tenant = tenant(HERE);
                sessions.inStatelessTransaction(session -> session.insert(row));
            });
        });
    }

    @ParameterizedTest
    @EnumSource
    void aParentOfAnotherShard(Way way) {
        ByText here = saved(text(HERE));
        ByText elsewhere = saved(text(ELSEWHERE));
        SessionFactory sessions = way == Way.LISTENER ? listened : intercepted;
        setting("parent", elsewhere, () -> {
            refused(
                    "leaf",
                    REFERENCE,
                    () -> sessions.inStatelessTransaction(session -> {
                        Leaf leaf = new Leaf();
                        leaf.parent = here;
                        session.insert(leaf);
                    }));
            if (way == Way.LISTENER) {
                refused("leaf", REFERENCE, () -> {
                    Leaf leaf = new Leaf();
                    leaf.parent = here;
                    saved(leaf);
                });
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aKeyOfTheSameShardIsStored(Way way) {
        String other = IntStream.range(1_000, 2_000)
                .mapToObj(i -> "tenant " + i)
                .filter(each -> ShardKeys.shardOf(each, BillsCluster.SHARDS) == HERE)
                .findFirst()
                .orElseThrow();
        SessionFactory sessions = way == Way.LISTENER ? listened : intercepted;
        ByText row = text(HERE);
        TextDefaulted defaulted = new TextDefaulted();
        defaulted.tenant = tenant(HERE);
        setting(
                "tenant",
                other,
                () -> sessions.inStatelessTransaction(session -> {
                    session.insert(row);
                    session.upsert(row);
                    session.update(row);
                    session.insert(defaulted);
                }));
        assertThat(bills.rows("by_text")).contains(HERE + ": (" + row.id + ",\"" + other + "\",\"\")");
        assertThat(bills.rows("text_defaulted")).contains(HERE + ": (" + defaulted.id + ",\"" + other + "\",\"\")");
    }
}
