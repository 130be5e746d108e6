package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random queries over all shards and over one plain table with the same rows give the same answers. */
@Tag("embedded-only")
class ScatterComparisonIntegrationTests {
    private static final int FEW = 20;
    private static final int MANY = 100 * (Boolean.getBoolean("sharded-id.test.longer") ? 60 : 1);
    private static final ScatterOptions ONE_CONNECTION = new ScatterOptions(4, 2, Duration.ofSeconds(20), 100_000);
    private static final ScatterOptions SEVERAL_CONNECTIONS =
            new ScatterOptions(30, 8, Duration.ofSeconds(20), 100_000);
    private static final List<String> KEYS = List.of(
            "p.views",
            "p.score",
            "p.ratio",
            "p.score::real",
            "p.at",
            "p.made",
            "p.day",
            "p.token",
            "p.flag",
            "p.caption collate \"C\"",
            "p.raw",
            "p.views * -2",
            "coalesce(p.score, 3)",
            "abs(p.ratio)",
            "p.id",
            "lower(p.caption collate \"C\")",
            "p.caption",
            "upper(p.caption)",
            "case when p.views > ? then 1 else 0 end");
    private static final List<String> CONDITIONS = List.of(
            "p.views > ?",
            "p.views = ?",
            "p.views is null",
            "p.flag",
            "p.id < ? + 200",
            "p.caption = 'a''?b'",
            "p.id in (?, ?, ?)",
            "p.id in (?, 7, null, ?, 7)",
            "not (p.id in (?, ?, 60) and p.flag)",
            "p.id not in (?, 5, ?)",
            "(p.id) not in (?, null)",
            "(p.id <> all (array[?, ?, 3])) is not true",
            "p.id = some (array[?, -1, ?])",
            "case when p.id in (?, ?, 9) then p.flag else p.id in (1, 2, 3, 4) end",
            "exists (select 1 from sharded_id_shard.photo q where q.id = p.id and q.views >= ?)",
            "p.token is distinct from null",
            "p.caption = $$ order by ? $$",
            "not (p.score is null or p.views < ?)");

    @Test
    @Tag("quick")
    void fewQueriesOverFewShards() throws SQLException {
        compare(14, ONE_CONNECTION, 400, FEW);
    }

    /** In binary from one database or from both. */
    @Test
    void fewQueriesWithValuesInBinary() throws SQLException {
        compare(14, ONE_CONNECTION, "template1", List.of(ManyShards.BINARY, ManyShards.BINARY), 400, FEW);
        compare(14, ONE_CONNECTION, "template1", List.of("&prepareThreshold=0", ManyShards.BINARY), 400, FEW);
    }

    @Tag("attack")
    @Test
    void manyQueriesWithValuesInBinary() throws SQLException {
        compare(14, ONE_CONNECTION, "template1", List.of(ManyShards.BINARY, ManyShards.BINARY), 400, MANY);
        compare(14, ONE_CONNECTION, "template1", List.of("&prepareThreshold=0", ManyShards.BINARY), 400, MANY);
    }

    /** By the collation of ICU's root, the case and the accents of texts count after their letters. */
    @Test
    @Tag("since-16") // Databases with a locale of ICU exist since 15.
    void fewQueriesInTheOrderOfALanguage() throws SQLException {
        compare(14, ONE_CONNECTION, "template0 LOCALE_PROVIDER icu ICU_LOCALE 'de' LOCALE 'C'", 300, FEW);
    }

    @Tag("attack")
    @Test
    void manyQueriesInTheOrderOfALanguage() throws SQLException {
        compare(14, ONE_CONNECTION, "template0 LOCALE_PROVIDER icu ICU_LOCALE 'de' LOCALE 'C'", 300, MANY);
        compare(14, ONE_CONNECTION, "template0 LOCALE 'C.utf8'", 300, MANY);
    }

    @Tag("attack")
    @Test
    void twoStatementsPerDatabaseAndOneConnection() throws SQLException {
        compare(14, ONE_CONNECTION, 400, MANY);
    }

    @Tag("attack")
    @Test
    void twoHundredShardsAndSeveralConnections() throws SQLException {
        compare(200, SEVERAL_CONNECTIONS, 1_500, MANY);
    }

    /** What is not refused is right. */
    @Test
    @Tag("quick")
    void fewOddQueries() throws SQLException {
        odd(100);
    }

    @Tag("attack")
    @Test
    void manyOddQueries() throws SQLException {
        odd(4 * MANY);
    }

    /** Conditions of a subselect filter its own rows, not those of the tables outside of it. */
    @Test
    @Tag("quick")
    void whatASubselectBinds() throws SQLException {
        String photo = "sharded_id_shard.photo";
        String comment = "sharded_id_shard.comment";
        String both = " (select 1 from " + comment + " c where c.photo_id = p.id and c.photo_id = q.id) x on true";
        String number = " (select count(*) n from " + comment + " c where c.photo_id = p.id and c.photo_id = q.id) x";
        String loose = comment + " c left join lateral (select 1 where c.photo_id = p.id) x on true";
        String pairs = "select p.id, q.id from " + photo + " p ";
        String ids = "select p.id from " + photo + " p ";
        List<String> refused = List.of(
                pairs + "cross join " + photo + " q left join lateral" + both,
                "select count(*) from " + photo + " p cross join " + photo + " q left join lateral" + both,
                pairs + "join " + photo + " q on p.views = q.views left join lateral" + both,
                pairs + "cross join " + photo + " q left join lateral (select 1 where p.id = q.id) x on true",
                pairs + "cross join " + photo + " q cross join lateral" + number,
                "select p.id, (select count(*) from " + loose + ") from " + photo + " p",
                ids + "where exists (select 1 from " + loose + ")",
                ids + "where not exists (select 1 from " + loose + ")",
                ids + "where p.id in (select p.id from " + comment + " c where c.stars = 3)",
                ids + "cross join lateral (select p.id as k from " + comment + " c) x where x.k = p.id",
                "select p.views from (select * from " + photo + " order by id limit 5) p order by p.flag, p.id",
                "select p.views from (select q.id, q.views id2 from " + photo
                        + " q order by views limit 5) p order by p.id",
                "select distinct p.id from " + photo + " p order by lower(p.caption collate \"C\"), p.id",
                "select distinct p.* from " + photo + " p join " + comment
                        + " c on c.photo_id = p.id order by p.id, c.id");
        List<String> right = List.of(
                ids + "where not exists (select 1 from " + comment + " c, " + comment
                        + " d where c.photo_id = p.id and d.photo_id = p.id and d.id <> c.id)",
                "select distinct p.id, p.views from " + photo + " p order by p.views, id",
                "select p.id, x.k from " + photo + " p join (select c.photo_id as k from " + comment
                        + " c) x on x.k = p.id");
        try (ManyShards cluster = new ManyShards(12, ONE_CONNECTION)) {
            cluster.fill(new Random(1), 60);
            for (String sql : refused) {
                assertThat(isRight(cluster, new OddQueries.Odd(sql, false, false), sql))
                        .as("accepted: " + sql)
                        .isFalse();
            }
            for (String sql : right) {
                assertThat(isRight(cluster, new OddQueries.Odd(sql, false, false), sql))
                        .as("accepted: " + sql)
                        .isTrue();
            }
            String star = "select p.* from " + photo + " p join " + photo + " q on q.id = p.id order by caption, p.id";
            assertThat(isRight(cluster, new OddQueries.Odd(star, true, false), star))
                    .isTrue();
        }
    }

    /** Of any length, each shard is sent its own once, by a text that is always the same. */
    @Test
    void listsOfIds() throws SQLException {
        try (ManyShards cluster = new ManyShards(14, ONE_CONNECTION)) {
            cluster.fill(new Random(1), 200);
            String photos = "select p.id, p.views from sharded_id_shard.photo p where ";
            for (int size : new int[] {1, 2, 100, 3_000, 70_000}) {
                Object[] ids = IntStream.range(0, size)
                        .mapToObj(i -> i % 7 == 3 ? null : i % 3 == 0 ? (Object) (i % 250) : Long.valueOf(i % 250))
                        .toArray();
                String in = "(" + String.join(", ", Collections.nCopies(size, "?")) + ")";
                Object[] known =
                        Arrays.stream(ids).filter(Objects::nonNull).distinct().toArray();
                String values = Arrays.stream(known).map(String::valueOf).collect(Collectors.joining(", "));
                cluster.resetTaps();
                assertThat(cluster.all(photos + "p.id in " + in + " order by p.id", ids))
                        .isEqualTo(cluster.plain(photos + "p.id in (" + values + ") order by p.id"));
                assertThat(cluster.sent())
                        .as("texts")
                        .filteredOn(text -> text.contains(".photo"))
                        .isNotEmpty()
                        .allMatch(text -> text.length() < 4_000);
                assertThat(cluster.all(photos + "p.id in (" + values + ") and p.views in (1, 2) order by p.id"))
                        .isEqualTo(
                                cluster.plain(photos + "p.id in (" + values + ") and p.views in (1, 2) order by p.id"));
                if (size > 65_535) {
                    assertThatThrownBy(() -> cluster.all(photos + "p.id not in " + in, ids))
                            .hasMessageContaining("More than 65535 parameters");
                    continue;
                }
                assertThat(cluster.all(photos + "p.id not in " + in + " order by p.id", ids))
                        .isEqualTo(
                                size > 3
                                        ? List.of()
                                        : cluster.plain(photos + "p.id not in (" + values + ") order by p.id"));
            }
            Object[] views = Collections.nCopies(70_000, 1).toArray();
            cluster.resetTaps();
            assertThatThrownBy(() -> cluster.all(
                            photos + "p.views in (" + String.join(", ", Collections.nCopies(70_000, "?")) + ")", views))
                    .hasMessageContaining("More than 65535 parameters")
                    .hasMessageContaining("array");
            assertThat(cluster.sent()).isEmpty();
            assertThatThrownBy(() -> cluster.all(photos + "p.id in (?, ?)", 1, "x"))
                    .hasMessageContaining("the value x, which is no whole number");
        }
    }

    /** NULL in a list is NULL, even if none of its ids is of the row's shard. */
    @Test
    void listsOfIdsThatAreNegated() throws SQLException {
        try (ManyShards cluster = new ManyShards(4, ONE_CONNECTION)) {
            cluster.fill(new Random(1), 40);
            String nothing = ".comment (id, photo_id) VALUES (993, NULL)";
            cluster.databases.get(1).execute("INSERT INTO shard_0003" + nothing);
            cluster.databases.get(0).execute("INSERT INTO plain" + nothing);
            for (String condition : List.of(
                    "c.photo_id not in (?, ?)",
                    "not c.photo_id in (?, ?)",
                    "(c.photo_id in (?, ?)) is null",
                    "not (c.photo_id in (?, 5) and c.photo_id in (6, ?))",
                    "c.photo_id in (?, ?) or c.photo_id is null")) {
                String sql =
                        "select c.id, c.photo_id from sharded_id_shard.comment c where " + condition + " order by c.id";
                for (Object[] ids : new Object[][] {{1, 2}, {10, 20}, {3, null}}) {
                    assertThat(cluster.all(sql, ids)).as(sql).isEqualTo(cluster.plain(sql, ids));
                }
            }
        }
    }

    /** The pages of one size, by parameters, until one is empty: together all rows, in order, each once. */
    @Test
    void pagesAreTheRowsOfOneTable() throws SQLException {
        long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
        Random random = new Random(seed);
        String photos = "select p.id, p.views, p.score, p.caption from sharded_id_shard.photo p";
        try (ManyShards cluster = new ManyShards(14, ONE_CONNECTION)) {
            cluster.fill(random, 200);
            for (String key : KEYS.subList(0, KEYS.size() - 1)) {
                String order = photos + " order by " + key
                        + Query.pick(random, "", " desc", " nulls first", " desc nulls last");
                int rows = 1 + random.nextInt(60);
                List<String> all = cluster.plain(order + ", p.id");
                List<String> found = new ArrayList<>();
                List<String> page;
                do {
                    page = cluster.all(order + " offset ? rows fetch first ? rows only", (long) found.size(), rows);
                    found.addAll(page);
                } while (!page.isEmpty());
                assertThat(found).as("%s by %s, seed %s", order, rows, seed).isEqualTo(all);
            }
        }
    }

    private static void odd(int queries) throws SQLException {
        long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
        Random random = new Random(seed);
        ScatterOptions options = new ScatterOptions(3, 2, Duration.ofSeconds(20), 100_000);
        int right = 0;
        try (ManyShards cluster = new ManyShards(12, options)) {
            cluster.fill(random, 60);
            for (int i = 0; i < queries; i++) {
                OddQueries.Odd odd = OddQueries.next(random);
                right += isRight(cluster, odd, "query " + i + " of seed " + seed + ": " + odd.sql()) ? 1 : 0;
            }
        }
        assertThat(right).as("queries that were not refused, seed %s", seed).isGreaterThan(queries / 32);
    }

    /** False if the query is refused. */
    private static boolean isRight(ManyShards cluster, OddQueries.Odd odd, String what) throws SQLException {
        List<String> found;
        try {
            found = cluster.all(odd.sql());
        } catch (UnsupportedStatementException | SQLFeatureNotSupportedException e) {
            return false;
        } catch (SQLException e) {
            assertThat(catchThrowable(() -> cluster.plain(odd.sql())))
                    .as(what + " failed with " + e)
                    .isInstanceOf(SQLException.class);
            return false;
        }
        List<String> expected;
        try {
            expected = cluster.plain(odd.sql());
        } catch (SQLException e) {
            throw new AssertionError(what + " gives " + found + " where PostgreSQL says " + e.getMessage(), e);
        }
        if (odd.sql().matches("select distinct .*|.* group by .*")) {
            found = shown(found);
            expected = shown(expected);
        }
        if (odd.bounded() && !odd.ordered()) {
            assertThat(found).as(what).hasSameSizeAs(expected);
        } else if (odd.ordered()) {
            assertThat(found).as(what).isEqualTo(expected);
        } else {
            assertThat(found.stream().sorted().toList())
                    .as(what)
                    .isEqualTo(expected.stream().sorted().toList());
        }
        return true;
    }

    /** Of equal numbers, the database shows any one. */
    private static List<String> shown(List<String> rows) {
        return rows.stream()
                .map(row -> row.replaceAll("(?<![\\d.])0\\.10(?!\\d)", "0.1").replaceAll("-0(\\.0)?(?![\\d.])", "0$1"))
                .toList();
    }

    private static void compare(int shards, ScatterOptions options, int rows, int queries) throws SQLException {
        compare(shards, options, "template1", rows, queries);
    }

    private static void compare(int shards, ScatterOptions options, String template, int rows, int queries)
            throws SQLException {
        compare(shards, options, template, List.of("", ""), rows, queries);
    }

    private static void compare(
            int shards, ScatterOptions options, String template, List<String> drivers, int rows, int queries)
            throws SQLException {
        long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
        Random random = new Random(seed);
        try (ManyShards cluster = new ManyShards(shards, options, template, drivers)) {
            cluster.fill(random, rows);
            for (int i = 0; i < queries; i++) {
                Query query =
                        switch (random.nextInt(5)) {
                            case 0 -> Query.aggregates(random);
                            case 1 -> Query.groups(random);
                            default -> Query.rows(random);
                        };
                Object[] parameters = query.parameters(random);
                String what = "query " + i + " of seed " + seed + ": " + query.sql + " with " + List.of(parameters);
                List<String> expected = cluster.plain(query.plain, parameters);
                List<String> found = cluster.all(query.sql, parameters);
                if (!query.ordered) {
                    found = found.stream().sorted().toList();
                    expected = expected.stream().sorted().toList();
                }
                assertThat(found).as(what).isEqualTo(expected);
                await("no connections taken after " + what).until(() -> cluster.taken() == 0);
            }
        }
    }

    /** The plain query says what is implied in the other one: the id at the end of the order. */
    private record Query(String sql, String plain, boolean ordered) {
        static Query rows(Random random) {
            String columns = random.nextInt(8) == 0 ? "p.*" : "p.id, p.views, p.caption, p.score as s, p.at";
            String body = "select " + columns + " from sharded_id_shard.photo p" + where(random);
            if (random.nextInt(5) == 0) {
                return new Query(body, body, false);
            }
            List<String> keys = new ArrayList<>();
            List<String> all = new ArrayList<>(KEYS);
            Collections.shuffle(all, random);
            for (String key : all.subList(0, random.nextInt(3))) {
                keys.add(key + pick(random, "", " asc", " desc") + pick(random, "", " nulls first", " NULLS LAST"));
            }
            if (keys.isEmpty() && !columns.equals("p.*")) {
                keys.add(pick(random, "s desc", "2 nulls first", "at", "p.views"));
            }
            boolean explicit = columns.equals("p.*") || random.nextInt(3) == 0;
            String order = " order by " + String.join(", ", keys) + (keys.isEmpty() ? "" : ", ");
            String limit = pick(
                    random,
                    "",
                    " limit 7",
                    " offset 0 rows fetch first 20 rows only",
                    " fetch next 1 row only",
                    page(random));
            String id = keys.isEmpty() || explicit ? "p.id desc" : "p.id";
            String implied = " order by " + String.join(", ", keys);
            return new Query(
                    body + (explicit || keys.isEmpty() ? order + id : implied) + limit,
                    body + order + id + limit,
                    true);
        }

        /** Also beyond the last row. */
        private static String page(Random random) {
            int offset = random.nextInt(4) == 0 ? random.nextInt(600) : random.nextInt(40);
            int rows = random.nextInt(30);
            return random.nextBoolean()
                    ? " limit " + rows + " offset " + offset
                    : " offset " + offset + " rows fetch first " + rows + " rows only";
        }

        static Query aggregates(Random random) {
            String sql = "select "
                    + pick(
                            random,
                            "count(*)",
                            "count(p.views) as n, max(p.views)",
                            "sum(p.views), min(p.at)",
                            "sum(p.id)",
                            "min(p.day), max(p.made), count(*) filter (where p.flag)",
                            "sum(p.score), max(p.ratio + 0), min(trim_scale(p.score))",
                            "avg(p.views), avg(p.score), avg(p.views / 4.0::float8)",
                            "min(p.caption), max(p.caption), count(*)",
                            "avg(p.score) filter (where p.views > 1), coalesce(sum(p.views), -1) * 2",
                            "bool_and(p.flag), bool_or(p.flag), every(p.views is null), 7 as seven",
                            "max(trim_scale(p.score)) + min(p.views), count(*) > 3")
                    + " from sharded_id_shard.photo p" + where(random);
            return new Query(sql, sql, true);
        }

        /** Equal numbers may be written in several ways, of which any one is shown: these columns are none. */
        static Query groups(Random random) {
            List<String> columns = new ArrayList<>(List.of(
                    "p.views",
                    "p.day",
                    "p.flag",
                    "p.caption",
                    "p.raw",
                    "p.token",
                    "p.made",
                    "p.at",
                    "p.views % 2",
                    "lower(p.caption)",
                    "coalesce(p.views, -1)",
                    "p.score > 0",
                    "p.ratio = 0",
                    "date_trunc('month', p.made)",
                    "to_jsonb(p.views)",
                    "case when p.flag then p.caption end"));
            Collections.shuffle(columns, random);
            List<String> keys = columns.subList(0, 1 + random.nextInt(2));
            String body = " from sharded_id_shard.photo p" + where(random);
            String list = String.join(", ", keys);
            String sql = "select distinct " + list + body;
            String last = keys.get(0);
            if (random.nextInt(5) > 0) {
                last = pick(
                        random,
                        "count(*)",
                        "sum(p.views)",
                        "min(p.at)",
                        "max(p.made)",
                        "sum(p.score)",
                        "min(p.day)",
                        "avg(p.views)",
                        "avg(p.score)",
                        "max(p.caption)",
                        "min(lower(p.caption))",
                        "avg(p.views / 4.0::float8) filter (where p.flag)",
                        "count(*) + coalesce(sum(p.views), ?)",
                        "bool_or(p.flag)");
                sql = "select " + list + ", " + last + ", count(p.flag) as n" + body + " group by "
                        + (random.nextBoolean()
                                ? list
                                : String.join(", ", keys.size() == 1 ? List.of("1") : List.of("2", "1")))
                        + pick(
                                random,
                                "",
                                "",
                                " having count(*) > 3",
                                " having avg(p.views) >= ? or count(p.flag) = 0",
                                " having min(p.caption) is not null and (" + keys.get(0) + ") is not null");
            }
            String first = last.contains("?") ? "1" : pick(random, last, "1", "2");
            first = keys.size() == 1 && first.equals("2") && sql.startsWith("select distinct") ? "1" : first;
            String order =
                    " order by " + first + pick(random, "", " desc", " desc nulls last", " nulls first") + ", " + list;
            String end = pick(random, "", " limit 3", page(random), " offset 2");
            return new Query(sql + order + end, sql + order + end, true);
        }

        private static String where(Random random) {
            return switch (random.nextInt(3)) {
                case 0 -> "";
                case 1 -> " where " + CONDITIONS.get(random.nextInt(CONDITIONS.size()));
                default ->
                    " where " + CONDITIONS.get(random.nextInt(CONDITIONS.size())) + " or "
                            + CONDITIONS.get(random.nextInt(CONDITIONS.size()));
            };
        }

        private static String pick(Random random, String... values) {
            return values[random.nextInt(values.length)];
        }

        Object[] parameters(Random random) {
            String outside = sql.replaceAll("'[^']*'|\\$\\$[^$]*\\$\\$", "");
            return random.ints(outside.chars().filter(c -> c == '?').count(), -5, 300)
                    .boxed()
                    .toArray();
        }
    }
}
