package io.github.shardedid.hibernate.composite;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.routing.Target;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.hibernate.Session;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random queries that require a key, in each scope beside plain Hibernate: they have its result, or are refused. */
@Tag("slow")
class RandomGivenKeysIntegrationTests extends GivenKeys {
    private static final int QUERIES = Integer.getInteger("sharded-id.test.queries", 300);
    private static final List<String> KEYS = List.of(
            "p.id = :photo",
            ":photo = p.id",
            "p = :aPhoto",
            "p.owner = :aUser",
            "p.owner.id in (:user)",
            "p.id in :photos",
            "p.id in :several",
            "not (p.id <> :photo)",
            "(p.id = :photo or p.id = :same)",
            "exists (select 1 from PhotoLike k where k.photo = p and k.id = :likeId)",
            "p.id in (select n.id.photoId from Mark n where n = :aMark)");

    private final long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private int aliases;

    @Test
    void theirResultsAreThoseOfPlainHibernateOrTheyAreRefused() {
        int decided = 0;
        for (int i = 0; i < QUERIES; i++) {
            aliases = 0;
            boolean change = i % 3 == 0;
            String hql = change ? "update Photo p set p.title = p.title where " + conditions() : query();
            Function<Session, Object> work = session -> change ? changed(session, hql) : found(session, hql);
            Object expected = inRolledBackTransaction(plain, work);
            Object withoutScope = outcome(null, work);
            decided += withoutScope.equals(REFUSED) ? 0 : 1;
            for (Target scope : scopes()) {
                boolean loose = Target.shard(SHARD).equals(scope) && withoutScope.equals(REFUSED);
                Object outcome = loose ? REFUSED : outcome(scope, work);
                assertThat(outcome)
                        .as("-Dsharded-id.test.seed=%d, query %d in %s: %s", seed, i, scope, hql)
                        .isIn(expected, REFUSED);
            }
        }
        assertThat(decided).as("queries that are not refused").isGreaterThan(QUERIES / 4);
    }

    private <T> T one(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private String conditions() {
        return one(KEYS) + " and " + condition(2) + " and " + condition(1);
    }

    private String query() {
        List<String> conditions = new ArrayList<>(List.of(one(KEYS)));
        StringBuilder from = new StringBuilder("Photo p");
        StringBuilder select = new StringBuilder("select p.id");
        for (int i = random.nextInt(3); i > 0; i--) {
            String alias = "j" + aliases++;
            String[] joined = relation(alias);
            String on = tie(joined, "p");
            switch (random.nextInt(4)) {
                case 0 -> {
                    from.insert(0, joined[0] + ", ");
                    conditions.add(on);
                }
                case 1 -> from.append(" join ").append(joined[0]).append(" on ").append(on);
                case 2 ->
                    from.append(" left join ").append(joined[0]).append(" on ").append(on);
                default -> {
                    from.append(random.nextBoolean() ? " join lateral " : " left join lateral ")
                            .append("(select ")
                            .append(joined[2])
                            .append(" as w from ")
                            .append(joined[0])
                            .append(" where ")
                            .append(on)
                            .append(random.nextBoolean() ? "" : " order by 1 limit 3")
                            .append(") ")
                            .append(alias);
                    joined[2] = alias + ".w";
                }
            }
            if (random.nextBoolean()) {
                select.append(", ").append(joined[2]);
            }
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            conditions.add(condition(2));
        }
        Collections.shuffle(conditions, random);
        String query = select + " from " + from + " where " + String.join(" and ", conditions);
        return random.nextInt(8) == 0
                ? query + " union all " + select + " from " + from + " where " + String.join(" and ", conditions)
                : query;
    }

    private String condition(int depth) {
        String negated = random.nextBoolean() ? "not " : "";
        return switch (random.nextInt(depth > 0 ? 8 : 3)) {
            case 0 -> "p.title is not null";
            case 1 -> "p.title = 'words'";
            case 2 -> "size(p.likes) >= 0";
            case 3 ->
                "(" + condition(depth - 1) + (random.nextBoolean() ? " or " : " and ") + condition(depth - 1) + ")";
            case 4 -> negated + "(" + condition(depth - 1) + ")";
            case 5, 6 -> {
                String[] inner = relation("s" + aliases++);
                yield negated + "exists (select 1 from " + inner[0] + " where " + tie(inner, "p") + ")";
            }
            default -> {
                String[] inner = relation("s" + aliases++);
                yield "p.title " + (random.nextBoolean() ? "not " : "") + "in (select " + inner[2] + " from " + inner[0]
                        + " where " + tie(inner, "p") + ")";
            }
        };
    }

    /** The item of a FROM, its key, and a text. */
    private String[] relation(String alias) {
        return switch (random.nextInt(5)) {
            case 0 -> new String[] {"Mark " + alias, alias + ".id.photoId", alias + ".words"};
            case 1 -> new String[] {"PhotoLike " + alias, alias + ".photo.id", alias + ".words"};
            case 2 -> new String[] {"Frame " + alias, alias + ".id.photo.id", alias + ".words"};
            case 3 -> new String[] {"Note " + alias, alias + ".mark.id.photoId", alias + ".words"};
            default -> new String[] {"Photo " + alias, alias + ".id", alias + ".title"};
        };
    }

    private String tie(String[] relation, String outer) {
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> relation[1] + " = " + outer + ".id";
            case 3 -> relation[1] + " = :photo and " + relation[2] + " is not null";
            case 4 -> "(" + relation[1] + " = " + outer + ".id or " + relation[2] + " = 'x')";
            case 5 -> relation[2] + " = " + outer + ".title and " + relation[1] + " in :several";
            case 6 -> relation[1] + " = " + outer + ".id and " + relation[2] + " = " + outer + ".title";
            default -> relation[2] + " = " + outer + ".title";
        };
    }
}
