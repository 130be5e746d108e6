package io.github.shardedid.hibernate.keyrows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.hibernate.KeyRows;
import io.github.shardedid.hibernate.KeyRows.ReferringRows;
import io.github.shardedid.hibernate.KeyRows.Report;
import io.github.shardedid.hibernate.KeyRows.RowsRefusedException;
import io.github.shardedid.hibernate.KeyRows.TableRows;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.hibernate.keyrows.Club.Folder;
import io.github.shardedid.hibernate.keyrows.Club.Member;
import io.github.shardedid.hibernate.keyrows.Club.Post;
import io.github.shardedid.hibernate.keyrows.Club.Ticket;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.ReplicationSource;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.DatabaseShardMapSource;
import io.github.shardedid.provisioning.KeeperOptions;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMapKeeper;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.WrongShardException;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardRanges;
import io.github.shardedid.topology.ShardSchema;
import io.github.shardedid.topology.UnknownShardException;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.hibernate.JDBCException;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rows of a member among those of others in the same shard. Each row says whose it is in a column, so that the tests compare all
 * tables of the shard without following a reference.
 */
@Tag("quick")
class KeyRowsIntegrationTests {
    private static final int SHARDS = 4;
    private static final int SHARD = 2;

    private final TestCluster databases = cluster(SHARDS);
    private final SessionFactory sessions = sessions(databases);
    private final KeyRows rows = KeyRows.of(sessions).orElseThrow();

    private static TestCluster cluster(int shards) {
        return new TestCluster(IdLayout.DEFAULT, shards, 2, "classpath:db/keyrows");
    }

    private static SessionFactory sessions(TestCluster databases) {
        return sessions(databases.dataSource(), databases.constraining());
    }

    static SessionFactory sessions(DataSource dataSource, Consumer<Map<String, Set<String>>> constraining) {
        Configuration configuration = new Configuration().addAnnotatedClasses(Club.entities());
        configuration.getProperties().put("hibernate.connection.datasource", dataSource);
        configuration.getProperties().put(ShardingSettings.COLOCATED_COLUMNS, constraining);
        configuration.setPhysicalNamingStrategy(new PhysicalNamingStrategySnakeCaseImpl());
        return configuration.buildSessionFactory();
    }

    @AfterEach
    void close() {
        sessions.close();
        assertThat(databases.activeConnections()).isZero();
        databases.close();
    }

    private void sql(String statements) {
        databases.home(SHARD).execute("SET search_path = " + ShardSchema.nameOf(SHARD) + ", public; " + statements);
    }

    private long member(String whose, int replies) {
        return store(databases, whose, replies);
    }

    /** Stores a member with rows in each table. */
    static long store(TestCluster databases, String whose, int replies) {
        databases
                .home(SHARD)
                .execute("SET search_path = " + ShardSchema.nameOf(SHARD) + ", public; "
                        + """
                DO $$
                DECLARE m bigint; first bigint; second bigint; a bigint; b bigint;
                BEGIN
                  INSERT INTO member (whose) VALUES ('<w>') RETURNING id INTO m;
                  INSERT INTO member_details VALUES (m, 'street of <w>');
                  INSERT INTO member_emails VALUES (m, '<w>@x'), (m, '<w>@x'), (m, '<w>@y');
                  INSERT INTO post (author_id, whose, stars, extra, picture) VALUES
                    (m, '<w>', 'NaN', '{"a":  1, "a": 2}', '\\x00ff') RETURNING id INTO first;
                  INSERT INTO post (author_id, whose) VALUES (m, '<w>') RETURNING id INTO second;
                  INSERT INTO label (owner_id, whose) VALUES (m, '<w>') RETURNING id INTO a;
                  INSERT INTO post_labels VALUES (first, a, '<w>'), (second, a, '<w>');
                  UPDATE member SET pinned_id = second, friend_id = member.id WHERE id = m;
                  INSERT INTO reply (post_id, whose, writer_id) SELECT first, '<w>', m FROM generate_series(1, <n>);
                  INSERT INTO reply (post_id, whose) VALUES (second, '<w>') RETURNING id INTO a;
                  INSERT INTO reply (post_id, parent_id, whose) VALUES (second, a, '<w>') RETURNING id INTO b;
                  UPDATE reply SET parent_id = b WHERE id = a;
                  INSERT INTO memo (member_id, whose) VALUES (m, '<w>'), (m, '<w>');
                  INSERT INTO ticket VALUES (gen_random_uuid(), m, '<w>');
                  INSERT INTO login VALUES (m, '<w>');
                  INSERT INTO weather VALUES ('nobody');
                END
                $$"""
                                .replace("<w>", whose)
                                .replace("<n>", String.valueOf(replies)));
        return Long.parseLong(databases
                .home(SHARD)
                .query("SELECT id FROM " + ShardSchema.nameOf(SHARD) + ".member WHERE whose = '" + whose + "'")
                .get(0));
    }

    /** All rows of all tables of the shard that say that they are somebody's, in any column. */
    static Map<String, List<String>> rowsOf(TestCluster databases, String whose) {
        Map<String, List<String>> found = new TreeMap<>();
        String schema = ShardSchema.nameOf(SHARD);
        for (String table : databases
                .home(SHARD)
                .query("SELECT tablename FROM pg_tables WHERE schemaname = '" + schema
                        + "' AND tablename !~ '^(flyway|sharded_id)'")) {
            List<String> rows = databases
                    .home(SHARD)
                    .query("SELECT t::text FROM " + schema + "." + table + " t WHERE t::text ~ '\\m" + whose
                            + "\\M' ORDER BY 1");
            if (!rows.isEmpty()) {
                found.put(table, rows);
            }
        }
        return found;
    }

    private static Map<String, Long> numbers(Map<String, List<String>> rows) {
        Map<String, Long> numbers = new TreeMap<>();
        rows.forEach((table, all) -> numbers.put(table, (long) all.size()));
        return numbers;
    }

    private static Map<String, Long> numbers(Report report) {
        Map<String, Long> numbers = new TreeMap<>();
        report.tables().stream()
                .filter(each -> each.rows() > 0)
                .forEach(each -> numbers.put(each.table(), each.rows()));
        return numbers;
    }

    private String exported(long member) throws IOException {
        StringBuilder lines = new StringBuilder();
        rows.export(Member.class, member, lines);
        return lines.toString();
    }

    @Test
    void rowsOfEachKindAreCountedAndErasedAndOthersStay() {
        long ada = member("ada", 5000);
        member("bob", 10);
        Map<String, List<String>> others = rowsOf(databases, "bob");
        Map<String, Long> own = numbers(rowsOf(databases, "ada"));
        assertThat(own)
                .containsKeys("member", "member_details", "member_emails", "post_labels", "memo", "login", "ticket");

        assertThat(numbers(rows.count(Member.class, ada))).isEqualTo(own);

        Report erased = rows.erase(Member.class, ada);
        assertThat(rowsOf(databases, "ada")).isEmpty();
        assertThat(rowsOf(databases, "bob")).isEqualTo(others);
        assertThat(rowsOf(databases, "nobody").get("weather")).hasSize(2);
        assertThat(numbers(erased)).isEqualTo(own);
        assertThat(erased.tables()).allMatch(each -> each.left() == 0);
        assertThat(erased.left()).isZero();
        assertThat(erased.referring()).isEmpty();
        assertThatThrownBy(() -> rows.erase(Member.class, ada))
                .isInstanceOf(RowsRefusedException.class)
                .hasMessageContainingAll("Member " + ada, "shard 2", "pg2", "does not exist");
    }

    @Test
    void anExportIsRestoredInAnotherClusterAndInTheSame() throws IOException {
        long ada = member("ada", 1200);
        member("bob", 3);
        Map<String, List<String>> before = rowsOf(databases, "ada");
        String lines = exported(ada);
        assertThat(lines.lines().count())
                .isEqualTo(2 + before.values().stream().mapToLong(List::size).sum());
        assertThat(lines).doesNotContain("bob").contains("\"extra\":\"{\\\"a\\\":  1, \\\"a\\\": 2}\"");
        try (TestCluster other = cluster(SHARDS);
                SessionFactory there = sessions(other)) {
            Report restored = KeyRows.of(there).orElseThrow().restore(new StringReader(lines));
            assertThat(rowsOf(other, "ada")).isEqualTo(before);
            assertThat(numbers(restored)).isEqualTo(numbers(before));
            assertThatThrownBy(() -> KeyRows.of(there).orElseThrow().restore(new StringReader(lines)))
                    .as("the rows exist")
                    .isInstanceOf(JDBCException.class);
            assertThat(rowsOf(other, "ada")).isEqualTo(before);
        }
        rows.erase(Member.class, ada);
        rows.restore(new StringReader(lines));
        assertThat(rowsOf(databases, "ada")).isEqualTo(before);
    }

    /** Ids and keys name the same shards as before. */
    @Test
    void anExportIsRestoredAfterShardsWereAdded() throws IOException {
        long ada = member("ada", 5);
        Map<String, List<String>> before = rowsOf(databases, "ada");
        String lines = exported(ada);
        rows.erase(Member.class, ada);
        Map<String, DataSource> sources = new TreeMap<>();
        databases.databases().forEach(each -> sources.put("pg" + (sources.size() + 1), each.dataSource()));
        ClusterDefinition more = new ClusterDefinition(
                IdLayout.DEFAULT, 6, Map.of("pg1", ShardRanges.of(0, 1, 4), "pg2", ShardRanges.of(2, 3, 5)));
        new Provisioner(more, sources, ShardMigrations.at("classpath:db/keyrows")).provision();
        CurrentShardMap map = new CurrentShardMap(new DatabaseShardMapSource(more, sources));
        RoutingDataSource routing = new RoutingDataSource(new Cluster(IdLayout.DEFAULT, map), sources);
        try (SessionFactory grown = sessions(routing, columns -> {})) {
            KeyRows.of(grown).orElseThrow().restore(new StringReader(lines));
        }
        assertThat(rowsOf(databases, "ada")).isEqualTo(before);
    }

    @Test
    void lineBreaksInJsonAndTextsSurvive() throws IOException {
        long ada = member("ada", 1);
        sql("UPDATE post SET extra = E'{\"a\":\\n\\r 1}', whose = E'ada\\nand \\\\ \"all\"\\u2028'");
        String all = "SELECT extra::jsonb::text || whose FROM shard_0002.post ORDER BY id";
        List<String> before = databases.home(SHARD).query(all);
        String lines = exported(ada);
        rows.erase(Member.class, ada);
        rows.restore(new StringReader(lines));
        assertThat(databases.home(SHARD).query(all)).isEqualTo(before).hasSize(2);
    }

    @Test
    void anExportOfAnotherLayoutOrThatIsNotWholeIsRefused() throws IOException {
        long ada = member("ada", 5);
        String lines = exported(ada);
        rows.erase(Member.class, ada);
        Map<String, String> changed = new TreeMap<>();
        changed.put("\"keyShards\":8", lines.replace("\"keyShards\":4", "\"keyShards\":8"));
        changed.put("40·13·11", lines.replace("41·13·10", "40·13·11"));
        changed.put("\"shard\":1", lines.replace("\"shard\":2", "\"shard\":1"));
        changed.put("not whole", lines.substring(0, lines.lastIndexOf("{\"lines\"")));
        changed.put("of tables or columns", lines.replace("\"table\":\"login\"", "\"table\":\"weather\""));
        changed.put("tables or columns", lines.replace("\"address\"", "\"addresses\""));
        changed.put("or lacks columns", lines.replaceAll(",\"written\":\"[^\"]*\"", ""));
        changed.put("no export", lines.substring(1));
        changed.put("No sharded entities are named", lines.replace("$Member", "$Stranger"));
        changed.forEach((message, text) -> assertThatThrownBy(() -> rows.restore(new StringReader(text)))
                .isInstanceOf(RowsRefusedException.class)
                .hasMessageContaining(message)
                .hasMessageMatching(".*Nothing was (restored|done).*"));
        long elsewhere = databases.cluster().layout().encode(1000, 3, 1);
        String moved = lines.replaceAll("\"memo\",\"row\":\\{\"id\":\\d+", "\"memo\",\"row\":{\"id\":" + elsewhere);
        assertThat(moved).isNotEqualTo(lines);
        assertThatThrownBy(() -> rows.restore(new StringReader(moved)))
                .isInstanceOf(WrongShardException.class)
                .hasMessageContaining("(constraint sharded_id_check");
        assertThat(rowsOf(databases, "ada")).isEmpty();
    }

    @Test
    void anInterruptedErasureContinuesWhereItWas() {
        long ada = member("ada", 25_000);
        member("bob", 10);
        Map<String, List<String>> others = rowsOf(databases, "bob");
        sql(
                """
                CREATE SEQUENCE deleted;
                CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF nextval('shard_0002.deleted') = 15000 THEN RAISE EXCEPTION 'stopped'; END IF; RETURN old; END $$;
                CREATE TRIGGER stop BEFORE DELETE ON reply FOR EACH ROW EXECUTE FUNCTION stop()""");
        assertThatThrownBy(() -> rows.erase(Member.class, ada)).isInstanceOf(JDBCException.class);
        Long left = numbers(rowsOf(databases, "ada")).get("reply");
        assertThat(left).isEqualTo(25_002L - 10_000);
        assertThat(rowsOf(databases, "ada")).containsKey("member");

        assertThat(rows.erase(Member.class, ada).left()).isZero();
        assertThat(rowsOf(databases, "ada")).isEmpty();
        assertThat(rowsOf(databases, "bob")).isEqualTo(others);
    }

    @Test
    void aBatchWhoseConnectionIsLostIsRepeated() {
        long ada = member("ada", 5000);
        sql(
                """
                CREATE SEQUENCE deleted;
                CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  IF nextval('shard_0002.deleted') = 3000 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
                  RETURN old; END $$;
                CREATE TRIGGER stop BEFORE DELETE ON reply FOR EACH ROW EXECUTE FUNCTION stop()""");
        assertThat(rows.erase(Member.class, ada).left()).isZero();
        assertThat(rowsOf(databases, "ada")).isEmpty();
        assertThat(databases.home(SHARD).query("SELECT last_value > 5002 FROM shard_0002.deleted"))
                .containsExactly("t");
    }

    @Test
    void anErasureFollowsTheShardThatMoves() throws Exception {
        List<Long> members = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            members.add(member("ada" + i, 2500));
        }
        member("bob", 5);
        Map<String, List<String>> others = rowsOf(databases, "bob");
        List<Report> erased = new CopyOnWriteArrayList<>();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        Thread eraser = new Thread(() -> members.forEach(each -> erased.add(rows.erase(Member.class, each))), "eraser");
        eraser.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
        try (ShardMapKeeper keeper =
                new ShardMapKeeper(databases.cluster().map(), databases.sources(), KeeperOptions.DEFAULT)) {
            eraser.start();
            mover().move(SHARD, "pg1");
            eraser.join();
            // The erasures may have ended before the move: then nothing has read the new map yet.
            await().until(() ->
                    databases.cluster().map().get().databaseOf(SHARD).equals("pg1"));
            assertThat(keeper).isNotNull();
        }
        assertThat(failures).isEmpty();
        assertThat(erased)
                .hasSize(members.size())
                .allMatch(each -> each.left() == 0 && each.rows() > 2500)
                .anyMatch(each -> each.database().equals("pg2"));
        assertThat(databases.home(SHARD).query("SELECT DISTINCT whose FROM shard_0002.reply"))
                .containsExactly("bob");
        assertThat(rowsOf(databases, "bob")).isEqualTo(others);
    }

    private ShardMover mover() {
        Map<String, ReplicationSource> reach = new TreeMap<>();
        for (int i = 0; i < 2; i++) {
            TestDatabase database = databases.databases().get(i);
            PostgresServer server = database.server();
            reach.put(
                    "pg" + (i + 1),
                    new ReplicationSource(
                            server.peerHost(),
                            server.peerPort(),
                            database.name(),
                            server.username(),
                            server.password()));
        }
        return new ShardMover(
                databases.definition(),
                databases.sources(),
                ShardMigrations.at("classpath:db/keyrows"),
                MoveOptions.DEFAULT.withReplicationSources(reach));
    }

    /** Without a foreign key and without a mapping, only the value says what a column refers to. */
    @Test
    void unmappedTablesWithAnIdAreRefusedOrErasedByTheirForeignKey() {
        long ada = member("ada", 5);
        sql("CREATE TABLE visit (at timestamptz, reply_id bigint, note text);"
                + " INSERT INTO visit SELECT now(), max(id), 'x' FROM reply;"
                + " CREATE TABLE badge (member_id bigint REFERENCES member, name text); INSERT INTO badge VALUES ("
                + ada
                + ", 'x')");
        Map<String, List<String>> before = rowsOf(databases, "ada");
        assertThat(rows.count(Member.class, ada).referring())
                .containsExactly(
                        new ReferringRows("badge (member_id) → member", 1, true),
                        new ReferringRows("visit (reply_id)", 1, true));
        assertThatThrownBy(() -> rows.erase(Member.class, ada))
                .isInstanceOf(RowsRefusedException.class)
                .hasMessageContainingAll("1 rows of badge (member_id)", "1 rows of visit (reply_id)");
        assertThat(rowsOf(databases, "ada")).isEqualTo(before);
        sql("ALTER TABLE visit ADD FOREIGN KEY (reply_id) REFERENCES reply ON DELETE CASCADE; DELETE FROM badge");
        assertThat(numbers(rows.erase(Member.class, ada))).containsEntry("visit", 1L);
        assertThat(rowsOf(databases, "ada")).isEmpty();
        assertThat(databases.home(SHARD).query("SELECT * FROM shard_0002.visit"))
                .isEmpty();
    }

    @Test
    void rowsOfAnyShardThatReferToOneOfTheseAreReported() {
        long ada = member("ada", 5);
        member("bob", 5);
        sql("UPDATE reply SET writer_id = " + ada + " WHERE whose = 'bob'");
        Report erased = rows.erase(Member.class, ada);
        assertThat(erased.referring()).containsExactly(new ReferringRows("reply (writer_id)", 7, false));
        assertThat(erased.lines())
                .contains("7 rows that live elsewhere have an id of these: reply (writer_id)")
                .last()
                .asString()
                .contains("shard 2", "pg2", " 0 left");
        assertThat(rowsOf(databases, "ada")).isEmpty();
    }

    @Test
    void rowsThatTheApplicationStoresMeanwhileAreErasedOrReported() {
        long ada = member("ada", 1);
        sql(
                """
                CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                  INSERT INTO shard_0002.memo (member_id, whose) VALUES (old.author_id, 'ada'); RETURN old; END $$;
                CREATE TRIGGER again BEFORE DELETE ON post FOR EACH ROW EXECUTE FUNCTION again()""");
        assertThat(rows.erase(Member.class, ada).left()).isZero();
        assertThat(rowsOf(databases, "ada")).isEmpty();
    }

    /** The last count proves it, whatever was deleted before: here each table's rows return while the other's are deleted. */
    @Test
    void rowsThatReturnAreReported() {
        long ada = member("ada", 1);
        sql(
                """
                ALTER TABLE ticket DROP CONSTRAINT ticket_holder_id_fkey;
                CREATE FUNCTION again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF tg_table_name = 'memo' THEN
                  INSERT INTO shard_0002.ticket VALUES (gen_random_uuid(), old.member_id, 'ada'); ELSE
                  INSERT INTO shard_0002.memo (member_id, whose) VALUES (old.holder_id, 'ada'); END IF; RETURN old; END $$;
                CREATE TRIGGER again AFTER DELETE ON memo FOR EACH ROW EXECUTE FUNCTION again();
                CREATE TRIGGER again AFTER DELETE ON ticket FOR EACH ROW EXECUTE FUNCTION again()""");
        assertThatThrownBy(() -> rows.erase(Member.class, ada))
                .isInstanceOf(RowsRefusedException.class)
                .hasMessageContainingAll("is not erased", "3 rows of", "The application has stored them meanwhile");
        assertThat(numbers(rowsOf(databases, "ada")).values().stream()
                        .mapToLong(each -> each)
                        .sum())
                .isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({
        "UPDATE member SET friend_id = (SELECT id FROM member WHERE whose = 'ada') WHERE whose = 'bob', member (friend_id)",
        "UPDATE member SET pinned_id = (SELECT id FROM post WHERE whose = 'ada' LIMIT 1) WHERE whose = 'bob', member (pinned_id)",
        "CREATE TABLE gift (id int PRIMARY KEY; giver bigint REFERENCES member; taker bigint REFERENCES member); INSERT INTO gift SELECT 1; (SELECT id FROM member WHERE whose = 'bob'); id FROM member WHERE whose = 'ada', gift (taker)"
    })
    void rowsOfOthersThatReferToOneOfTheseAreRefusedBeforeAnythingIsDeleted(String reference, String message) {
        long ada = member("ada", 5);
        member("bob", 5);
        sql(
                message.startsWith("gift")
                        ? reference
                                .replace("PRIMARY KEY;", "PRIMARY KEY,")
                                .replace("member; taker", "member, taker")
                                .replace("1;", "1,")
                                .replace("'bob');", "'bob'),")
                        : reference);
        Map<String, List<String>> before = rowsOf(databases, "ada");
        assertThatThrownBy(() -> rows.erase(Member.class, ada))
                .isInstanceOf(RowsRefusedException.class)
                .hasMessageContainingAll(
                        "Member " + ada, "shard 2", "pg2", "1 rows of " + message, "Nothing was deleted");
        assertThat(rowsOf(databases, "ada")).isEqualTo(before);
    }

    @Test
    void rowsThatTheDatabaseDeletesOrChangesByItselfAreNoObstacle() {
        long ada = member("ada", 5);
        long bob = member("bob", 5);
        sql("CREATE TABLE gift (id int PRIMARY KEY, giver bigint REFERENCES member ON DELETE SET NULL, taker bigint"
                + " REFERENCES member ON DELETE CASCADE, whose text);"
                + " INSERT INTO gift VALUES (1, " + bob + ", " + ada + ", 'ada'), (2, " + ada + ", " + bob
                + ", 'bob')");
        assertThat(numbers(rows.erase(Member.class, ada))).containsEntry("gift", 1L);
        assertThat(rowsOf(databases, "ada")).isEmpty();
        assertThat(rowsOf(databases, "bob").get("gift")).containsExactly("(2,," + bob + ",bob)");
    }

    @Test
    void treesAndCirclesEnd() throws IOException {
        sql(
                """
                INSERT INTO folder (whose) VALUES ('tree'), ('other');
                DO $$ BEGIN FOR i IN 1..7 LOOP
                  INSERT INTO folder (parent_id, whose) SELECT id, whose FROM folder, generate_series(1, 2) ORDER BY random();
                END LOOP; END $$;
                INSERT INTO folder (whose) VALUES ('circle');
                INSERT INTO folder (parent_id, whose) SELECT id, 'circle' FROM folder WHERE whose = 'circle';
                UPDATE folder SET parent_id = (SELECT max(id) FROM folder WHERE whose = 'circle')
                WHERE id = (SELECT min(id) FROM folder WHERE whose = 'circle')""");
        Map<String, List<String>> others = rowsOf(databases, "other");
        for (String whose : List.of("tree", "circle")) {
            Map<String, List<String>> before = rowsOf(databases, whose);
            String root = databases
                    .home(SHARD)
                    .query("SELECT min(id) FROM shard_0002.folder WHERE whose = '" + whose + "'")
                    .get(0);
            StringBuilder lines = new StringBuilder();
            rows.export(Folder.class, root, lines);
            assertThat(numbers(rows.erase(Folder.class, root))).isEqualTo(numbers(before));
            assertThat(rowsOf(databases, whose)).isEmpty();
            rows.restore(new StringReader(lines.toString()));
            assertThat(rowsOf(databases, whose)).isEqualTo(before);
        }
        assertThat(rowsOf(databases, "other")).isEqualTo(others);
    }

    @Test
    void whatLivesWithPartOfAKeyIsErasedAlone() {
        long ada = member("ada", 5);
        String post = databases
                .home(SHARD)
                .query("SELECT min(id) FROM shard_0002.post")
                .get(0);
        assertThat(numbers(rows.erase(Post.class, post))).isEqualTo(Map.of("post", 1L, "post_labels", 1L, "reply", 5L));
        assertThat(numbers(rowsOf(databases, "ada")).get("reply")).isEqualTo(2);
        assertThat(rows.count(Member.class, ada).left()).isPositive();
    }

    @Test
    void whatNamesNoRowIsRefused() {
        long ada = member("ada", 5);
        long unknown = databases.cluster().layout().encode(1000, 3, 1);
        assertThatThrownBy(() -> rows.count(Member.class, unknown))
                .isInstanceOf(RowsRefusedException.class)
                .hasMessageContainingAll("Member " + unknown, "shard 3", "pg2");
        assertThatThrownBy(() ->
                        rows.erase(Member.class, databases.cluster().layout().encode(1000, 7, 1)))
                .isInstanceOf(UnknownShardException.class);
        assertThatThrownBy(() -> rows.erase(Member.class, "ada")).hasMessageContaining("\"ada\" is no id of");
        assertThatThrownBy(() -> rows.erase(String.class, ada)).hasMessageContaining("no sharded entity");
        UUID ticket = UUID.fromString(
                databases.home(SHARD).query("SELECT id FROM shard_0002.ticket").get(0));
        assertThatThrownBy(() -> rows.erase(Ticket.class, ticket)).hasMessageContaining("no scope is open");
        assertThat(numbers(ShardContext.call(SHARD, () -> rows.erase(Ticket.class, ticket))))
                .isEqualTo(Map.of("ticket", 1L));
    }

    @Test
    void eventPublicationsWithTheIdAreReported() {
        long ada = member("ada", 5);
        sql("INSERT INTO event_publication VALUES (gen_random_uuid(), '{\"member\":" + ada
                + "}'), (gen_random_uuid(), '{\"member\":17}')");
        assertThat(rows.erase(Member.class, ada).referring())
                .containsExactly(new ReferringRows("event_publication (serialized_event)", 1, false));
    }

    private static long usedMemory() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void manyRowsNeedLittleMemory() throws IOException {
        long ada = member("ada", 100_000);
        member("bob", 100_000);
        sql("UPDATE reply SET whose = whose || ' ' || repeat('x', 2000); ANALYZE");
        List<Long> used = new ArrayList<>();
        long[] lines = {0};
        Appendable out = new Appendable() {
            @Override
            public Appendable append(CharSequence text) {
                return this;
            }

            @Override
            public Appendable append(CharSequence text, int from, int to) {
                return this;
            }

            @Override
            public Appendable append(char c) {
                if (lines[0]++ % 40_000 == 10) {
                    System.gc();
                    used.add(Runtime.getRuntime().totalMemory()
                            - Runtime.getRuntime().freeMemory());
                }
                return this;
            }
        };
        long before = usedMemory();
        rows.export(Member.class, ada, out);
        assertThat(lines[0]).isGreaterThan(100_000);
        assertThat(used).as("bytes, of 200 MB").hasSize(3).allMatch(each -> each - before < 30_000_000);
        Report erased = rows.erase(Member.class, ada);
        assertThat(erased.tables()).contains(new TableRows("reply", 100_002, 0));
        assertThat(rowsOf(databases, "ada")).isEmpty();
        assertThat(rowsOf(databases, "bob").get("reply")).hasSize(100_002);
    }
}
