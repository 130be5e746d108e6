package io.github.shardedid.hibernate.globalsets;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.hibernate.PlainHibernate;
import io.github.shardedid.hibernate.globalsets.Accounts.Account;
import io.github.shardedid.hibernate.globalsets.Accounts.Authority;
import io.github.shardedid.hibernate.globalsets.Accounts.Badge;
import io.github.shardedid.hibernate.globalsets.Accounts.Level;
import io.github.shardedid.hibernate.globalsets.Accounts.Tag;
import io.github.shardedid.hibernate.globalsets.Accounts.Titled;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.hibernate.Hibernate;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.graph.RootGraph;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random work on accounts and what they have, with shards and with plain Hibernate on one schema: the outcomes are the same. */
class RandomGlobalSetsIntegrationTests {
    private static final int STEPS = 250;

    private final long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final List<Long> accounts = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void outcomesAndRowsAreThoseOfPlainHibernate(boolean cached) {
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        database.execute(Accounts.TABLES + Accounts.GLOBAL_TABLES);
        try (AccountsCluster cluster = new AccountsCluster();
                SessionFactory sharded = cluster.sessions(cached, Accounts.ENTITIES);
                SessionFactory plain = PlainHibernate.on(
                        database, AccountsCluster.settings(cached), Accounts.ENTITIES, List.of(Account.class))) {
            AccountsCluster.fill(sharded);
            AccountsCluster.fill(plain);
            for (int step = 0; step < STEPS; step++) {
                Function<SessionFactory, Object> work = work(step);
                int scope = random.nextInt(2 * AccountsCluster.SHARDS);
                Object outcome = scope < AccountsCluster.SHARDS
                        ? ShardContext.call(scope, () -> outcome(sharded, work))
                        : outcome(sharded, work);
                assertThat(outcome)
                        .as("step " + step + " of -Dsharded-id.test.seed=" + seed)
                        .isEqualTo(outcome(plain, work));
            }
            compare(cluster, database);
            assertThat(cluster.databases.activeConnections()).isZero();
        } finally {
            database.drop();
        }
    }

    private static Object outcome(SessionFactory sessions, Function<SessionFactory, Object> work) {
        try {
            return work.apply(sessions);
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName();
        }
    }

    private static Object in(SessionFactory sessions, Function<Session, Object> work) {
        return sessions.fromTransaction(work);
    }

    private int target() {
        return random.nextInt(AccountsCluster.TARGETS);
    }

    private long account() {
        return accounts.isEmpty() ? 1 : accounts.get(random.nextInt(accounts.size()));
    }

    /** What an account has, with its titles: reads each row. */
    private static String text(@Nullable Account account) {
        if (account == null) {
            return "none";
        }
        Map<String, Object> parts = new TreeMap<>();
        parts.put("authorities", titles(account.authorities).stream().sorted().toList());
        parts.put("tags", titles(account.tags).stream().sorted().toList());
        parts.put("levels", titles(account.levels));
        parts.put("badges", titles(account.badges).stream().sorted().toList());
        return account.login + " " + account.version + " " + parts;
    }

    private static List<String> titles(Collection<? extends Titled> rows) {
        return rows.stream()
                .map(row -> row.getTitle() + " " + Hibernate.getClass(row).getSimpleName())
                .toList();
    }

    private static Account loaded(Account account) {
        Hibernate.initialize(account.authorities);
        Hibernate.initialize(account.tags);
        Hibernate.initialize(account.levels);
        return account;
    }

    private static void add(Session session, Account account, int target) {
        account.authorities.add(session.getReference(Authority.class, "ROLE_" + target));
        account.tags.add(session.find(Tag.class, new UUID(7, target)));
        account.levels.add(0, session.getReference(Level.class, (long) target));
        account.badges.add(session.find(Badge.class, target));
    }

    /** One piece of work, with the same random choices on both sides. Writes to one shard. */
    private Function<SessionFactory, Object> work(int step) {
        return switch (random.nextInt(4)) {
            case 0 -> creation(step);
            case 1 -> reading();
            case 2 -> query();
            default -> change(step);
        };
    }

    private Function<SessionFactory, Object> creation(int step) {
        long id = IdLayout.DEFAULT.encode(100 + step, random.nextInt(AccountsCluster.SHARDS), 1);
        int one = target();
        int other = target();
        boolean unsaved = random.nextInt(6) == 0;
        boolean stateless = random.nextInt(4) == 0;
        if (!unsaved) {
            accounts.add(id);
        }
        if (stateless && !unsaved) {
            return sessions -> {
                Account account = new Account(id, "stateless " + step);
                account.authorities.add(new Authority("ROLE_" + one));
                account.tags.add(new Tag(other));
                sessions.inStatelessTransaction(session -> session.insert(account));
                return in(sessions, session -> text(session.find(Account.class, id)));
            };
        }
        return sessions -> in(sessions, session -> {
            Account account = new Account(id, "login " + step);
            add(session, account, one);
            add(session, account, other);
            if (unsaved) {
                account.authorities.add(new Authority("unknown"));
            }
            session.persist(account);
            session.flush();
            return text(account);
        });
    }

    private Function<SessionFactory, Object> change(int step) {
        long id = account();
        int one = target();
        int other = target();
        return switch (random.nextInt(8)) {
            case 0 -> changed(id, (session, account) -> add(session, account, one));
            case 1 ->
                changed(id, (session, account) -> {
                    account.authorities.remove(session.getReference(Authority.class, "ROLE_" + one));
                    account.tags.remove(session.find(Tag.class, new UUID(7, one)));
                    account.levels.remove(session.find(Level.class, (long) one));
                    account.badges.removeIf(badge -> badge.getTitle().endsWith(String.valueOf(other)));
                });
            case 2 ->
                changed(id, (session, account) -> {
                    account.authorities.clear();
                    account.levels.clear();
                    account.tags.clear();
                    add(session, account, one);
                });
            case 3 ->
                changed(id, (session, account) -> {
                    account.authorities = new HashSet<>();
                    account.authorities.add(new Authority("ROLE_" + one));
                    account.authorities.add(session.find(Authority.class, "ROLE_" + other));
                    account.tags = new ArrayList<>(List.of(session.getReference(Tag.class, new UUID(7, other))));
                    account.badges = new HashSet<>();
                });
            case 4, 5 -> merge(id, one, other, step);
            case 6 ->
                sessions -> in(sessions, session -> {
                    Account account = session.find(Account.class, id);
                    if (account != null) {
                        session.remove(account);
                    }
                    return account != null;
                });
            default ->
                changed(id, (session, account) -> {
                    account.login = "changed in " + step;
                    Hibernate.initialize(account.levels);
                    if (account.levels.size() > 1) {
                        account.levels.set(0, account.levels.get(account.levels.size() - 1));
                    }
                    account.authorities.remove(new Authority("ROLE_" + one));
                });
        };
    }

    @FunctionalInterface
    private interface Change {
        void apply(Session session, Account account);
    }

    private static Function<SessionFactory, Object> changed(long id, Change change) {
        return sessions -> {
            in(sessions, session -> {
                Account account = session.find(Account.class, id);
                if (account != null) {
                    change.apply(session, account);
                }
                return account != null;
            });
            return in(sessions, session -> text(session.find(Account.class, id)));
        };
    }

    private Function<SessionFactory, Object> merge(long id, int one, int other, int step) {
        boolean again = random.nextBoolean();
        return sessions -> {
            Account detached = sessions.fromTransaction(session -> {
                Account account = session.find(Account.class, id);
                return account == null ? null : loaded(account);
            });
            if (detached == null) {
                return "none";
            }
            detached.login = "merged in " + step;
            detached.authorities.add(new Authority("ROLE_" + one));
            detached.authorities.remove(new Authority("ROLE_" + other));
            detached.levels.add(new Level(other));
            if (again) {
                detached.tags.clear();
                detached.badges.add(new Badge(one));
            }
            in(sessions, session -> text(session.merge(detached)));
            return in(sessions, session -> text(session.find(Account.class, id)));
        };
    }

    private Function<SessionFactory, Object> reading() {
        long id = account();
        return switch (random.nextInt(6)) {
            case 0 -> sessions -> in(sessions, session -> text(session.find(Account.class, id)));
            case 1 ->
                sessions -> text(sessions.fromTransaction(session -> {
                    Account account = session.find(Account.class, id);
                    return account == null ? null : loaded(account);
                }));
            case 2 ->
                sessions -> {
                    Account found = sessions.fromTransaction(session -> {
                        RootGraph<Account> graph = session.createEntityGraph(Account.class);
                        graph.addAttributeNodes("authorities", "levels");
                        return session.find(graph, id);
                    });
                    return found == null
                            ? "none"
                            : "" + titles(found.levels) + found.authorities.size()
                                    + titles(found.badges).size();
                };
            case 3 ->
                sessions -> {
                    Account found = sessions.fromTransaction(session -> session.createSelectionQuery(
                                    "from Account a left join fetch a.tags where a.id = :id", Account.class)
                            .setParameter("id", id)
                            .getSingleResultOrNull());
                    return found == null
                            ? "none"
                            : titles(found.tags).stream().sorted().toList();
                };
            case 4 ->
                sessions -> Objects.requireNonNull(sessions.fromStatelessTransaction(session -> {
                    Account found = session.get(Account.class, id);
                    if (found == null) {
                        return "none";
                    }
                    session.fetch(found.authorities);
                    session.fetch(found.tags);
                    session.fetch(found.levels);
                    return text(found);
                }));
            default ->
                sessions -> in(sessions, session -> {
                    Account found = session.find(Account.class, id);
                    if (found == null) {
                        return "none";
                    }
                    session.refresh(found);
                    return found.authorities.contains(session.getReference(Authority.class, "ROLE_1")) + " "
                            + found.levels.size() + text(found);
                });
        };
    }

    private Function<SessionFactory, Object> query() {
        int one = target();
        List<Long> some = List.of(account(), account());
        return switch (random.nextInt(5)) {
            case 0 ->
                everywhere(
                        "select a.login from Account a where :it member of a.authorities",
                        session -> session.getReference(Authority.class, "ROLE_" + one));
            case 1 ->
                everywhere(
                        "select a.login from Account a join a.tags t where t = :it",
                        session -> session.find(Tag.class, new UUID(7, one)));
            case 2 ->
                everywhere(
                        "select a.login from Account a where :it member of a.levels and a.levels is not empty",
                        session -> new Level(one));
            case 3 -> everywhere("select a.login from Account a where size(a.badges) >= :it", session -> one % 3);
            default ->
                sessions -> in(sessions, session -> session.findMultiple(Account.class, some).stream()
                        .map(RandomGlobalSetsIntegrationTests::text)
                        .toList());
        };
    }

    private static Function<SessionFactory, Object> everywhere(String hql, Function<Session, Object> it) {
        return sessions ->
                ShardContext.call(
                        ShardSet.all(),
                        () -> in(sessions, session -> session
                                .createSelectionQuery(hql, String.class)
                                .setParameter("it", it.apply(session))
                                .getResultList()
                                .stream()
                                .sorted()
                                .toList()));
    }

    /** Each row is in the shard of its account, and there are no others. */
    private void compare(AccountsCluster cluster, TestDatabase plain) {
        for (String table : List.of("account", "account_authority", "account_tag", "account_level", "account_badge")) {
            List<String> found = new ArrayList<>();
            for (int shard = 0; shard < AccountsCluster.SHARDS; shard++) {
                found.addAll(cluster.rows(shard, "SELECT " + "t::text FROM $." + table + " t"));
            }
            assertThat(found)
                    .as(table + ", -Dsharded-id.test.seed=" + seed)
                    .isNotEmpty()
                    .containsExactlyInAnyOrderElementsOf(plain.query("SELECT t::text FROM " + table + " t"));
        }
    }
}
