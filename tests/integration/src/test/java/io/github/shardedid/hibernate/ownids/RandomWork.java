package io.github.shardedid.hibernate.ownids;

import io.github.shardedid.hibernate.ownids.Shop.Coupon;
import io.github.shardedid.hibernate.ownids.Shop.Customer;
import io.github.shardedid.hibernate.ownids.Shop.Line;
import io.github.shardedid.hibernate.ownids.Shop.Order;
import io.github.shardedid.hibernate.ownids.Shop.Parcel;
import io.github.shardedid.hibernate.ownids.Shop.Setting;
import io.github.shardedid.hibernate.ownids.Shop.Ticket;
import io.github.shardedid.hibernate.ownids.Shop.Visit;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.ShardKeys;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import org.hibernate.Hibernate;
import org.hibernate.LockMode;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;

/** Random transactions with the rows of a shop. */
record RandomWork(Random random) {
    /** One transaction, with the same random choices on both sides, some in the scope of the customer and some without. */
    Function<SessionFactory, Object> next(int step) {
        int shard = random.nextInt(ShopCluster.SHARDS);
        UUID order = new UUID(shard, random.nextInt(6));
        UUID line = new UUID(order.getMostSignificantBits(), 10 * order.getLeastSignificantBits() + random.nextInt(4));
        String words = "words of " + step;
        int kind = 5 + random.nextInt(25);
        boolean ofLine = random.nextBoolean();
        int number = random.nextInt(4);
        Function<Session, Object> work =
                kind < 20 ? ofOrders(kind, shard, order, line, words) : ofOthers(kind, shard, order, words, number);
        return sessions -> sessions.fromTransaction(session -> {
            if (ofLine) {
                Hibernate.initialize(
                        session.find(Customer.class, ShopCluster.customerOf((shard + 1) % ShopCluster.SHARDS)).orders);
            }
            return work.apply(session);
        });
    }

    private Function<Session, Object> ofOrders(int kind, int shard, UUID id, UUID lineId, String words) {
        long customer = ShopCluster.customerOf(shard);
        return switch (kind) {
            case 5, 6 ->
                session -> {
                    Order order = new Order(id, session.getReference(Customer.class, customer), words);
                    order.tags.add(words);
                    order.lines.add(new Line(lineId, order, 1));
                    session.persist(order);
                    return "";
                };
            case 7 ->
                session -> {
                    Order order = find(session, shard, id);
                    if (order != null) {
                        order.words = words;
                        order.tags.add(words);
                        session.flush();
                        session.refresh(order);
                        order.lines.clear();
                    }
                    return order == null ? "none" : order.tags.size();
                };
            case 8 ->
                session -> session.find(Customer.class, customer).orders.stream()
                        .map(order -> order.id + order.words + new TreeSet<>(order.tags) + lines(order))
                        .sorted()
                        .toList();
            case 9 ->
                session ->
                        session.find(Customer.class, customer).orders.removeIf(order -> Objects.equals(order.id, id));
            case 10 ->
                session -> {
                    Order order = find(session, shard, id);
                    if (order != null) {
                        session.remove(order);
                    }
                    return order == null ? "none" : order.words;
                };
            case 11, 12 ->
                session -> {
                    Order order = new Order(id, session.find(Customer.class, customer), words);
                    order.lines.add(new Line(lineId, order, 2));
                    return Objects.requireNonNull(session.merge(order)).version;
                };
            case 13 ->
                session -> {
                    Order order = find(session, shard, id);
                    Customer found = session.find(Customer.class, customer);
                    found.favourite = order;
                    return order == null ? "none" : order.words;
                };
            case 14 ->
                session -> {
                    Order favourite = session.find(Customer.class, customer).favourite;
                    return favourite == null
                            ? "none"
                            : favourite.getWords() + Objects.requireNonNull(favourite.getCustomer()).name;
                };
            case 15 ->
                session -> {
                    Line line = ShardContext.call(shard, () -> session.find(Line.class, lineId));
                    if (line != null) {
                        line.amount++;
                        return Objects.requireNonNull(line.order).getWords()
                                + Objects.requireNonNull(Objects.requireNonNull(line.order)
                                                .getCustomer())
                                        .name;
                    }
                    return "none";
                };
            case 16 ->
                session -> {
                    Order order = find(session, shard, id);
                    if (order != null) {
                        session.lock(order, LockMode.PESSIMISTIC_FORCE_INCREMENT);
                    }
                    return order == null ? "none" : order.version;
                };
            case 17 ->
                session -> session
                        .createSelectionQuery(
                                "from CustomerOrder o where o.customer.id = :c order by o.id", Order.class)
                        .setParameter("c", customer)
                        .getResultList()
                        .stream()
                        .map(order -> order.words + new TreeSet<>(order.tags) + lines(order))
                        .toList();
            case 18 ->
                session -> ShardContext.call(shard, () -> session.createMutationQuery(
                                "update Line l set l.amount = l.amount + 1 where l.order.customer.id = :c")
                        .setParameter("c", customer)
                        .executeUpdate());
            default ->
                session -> {
                    Order order = ShardContext.call(shard, () -> session.getReference(Order.class, id));
                    session.persist(new Line(lineId, order, 3));
                    return "";
                };
        };
    }

    private Function<Session, Object> ofOthers(int kind, int shard, UUID id, String words, int number) {
        long customer = ShopCluster.customerOf(shard);
        String code = "code " + number + " of " + shard;
        String tenant = "tenant " + number;
        return switch (kind) {
            case 20, 21 ->
                session -> {
                    Customer found = session.find(Customer.class, customer);
                    found.coupons.add(new Coupon(code, found, words));
                    return found.coupons.size();
                };
            case 22 ->
                session -> {
                    Coupon coupon = new Coupon(code, session.getReference(Customer.class, customer), words);
                    return Objects.requireNonNull(session.merge(coupon)).words;
                };
            case 23 ->
                session -> session.find(Customer.class, customer).coupons.removeIf(coupon -> code.equals(coupon.code));
            case 24 ->
                session -> {
                    Coupon coupon = ShardContext.call(shard, () -> session.getReference(Coupon.class, code));
                    return coupon.getWords();
                };
            case 25 ->
                session -> {
                    Order order = find(session, shard, id);
                    if (order != null) {
                        session.persist(new Parcel(order, words));
                    }
                    return order == null ? "none" : "";
                };
            case 26 ->
                session -> {
                    Parcel parcel = ShardContext.call(shard, () -> session.find(Parcel.class, id));
                    if (parcel == null) {
                        return "none";
                    }
                    parcel.words = words;
                    return Objects.requireNonNull(parcel.order).getWords();
                };
            case 27 ->
                session -> {
                    session.persist(new Ticket(session.getReference(Customer.class, customer), words));
                    session.persist(new Visit(customer, words));
                    return "";
                };
            case 28 ->
                session -> {
                    session.merge(new Setting(number, tenant, words));
                    return "";
                };
            default ->
                session -> {
                    Setting setting = ShardContext.call(
                            ShardKeys.shardOf(tenant, ShopCluster.SHARDS), () -> session.find(Setting.class, number));
                    if (setting != null) {
                        session.remove(setting);
                    }
                    return setting == null ? "none" : setting.words;
                };
        };
    }

    private static @Nullable Order find(Session session, int shard, UUID id) {
        return ShardContext.call(shard, () -> session.find(Order.class, id));
    }

    private static List<String> lines(Order order) {
        return order.lines.stream()
                .map(line -> line.id + " " + line.amount)
                .sorted()
                .toList();
    }
}
