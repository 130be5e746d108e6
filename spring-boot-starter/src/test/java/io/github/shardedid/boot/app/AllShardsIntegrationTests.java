package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.github.shardedid.routing.MissingShards;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.spring.data.PartialWriteException;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.data.domain.Example;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.Sort;
import org.springframework.data.domain.Window;
import org.springframework.data.jpa.domain.Specification;
import org.springframework.data.jpa.repository.JpaSpecificationExecutor.SpecificationFluentQuery;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SqlArrayValue;

class AllShardsIntegrationTests {
    private static final Comparator<Long> NEWEST = Comparator.reverseOrder();

    private final RunningApp app = RunningApp.shared();
    private final PhotosEverywhere everywhere = app.bean(PhotosEverywhere.class);
    private final PhotoRepository photos = app.bean(PhotoRepository.class);
    private final UserRepository users = app.bean(UserRepository.class);
    private final String caption = "everywhere " + UUID.randomUUID();
    /** Of 16 photos with that caption, two in each shard, the newest first. */
    private final List<Long> ids = new ArrayList<>();

    private final List<User> authors = new ArrayList<>();

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(app.activeConnections()).isZero();
    }

    @BeforeEach
    void save() {
        for (int i = 0; i < 16; i++) {
            User author = app.userIn(i % 8);
            authors.add(author);
            ids.add(app.photoOf(author, caption).id());
        }
        ids.sort(NEWEST);
    }

    private static List<Long> idsOf(Iterable<Photo> found) {
        List<Long> all = new ArrayList<>();
        found.forEach(photo -> all.add(photo.id()));
        return all;
    }

    @Test
    @Tag("quick")
    void derivedDeclaredAndNativeQueries() {
        assertThat(idsOf(everywhere.findByCaptionOrderByIdDesc(caption, Limit.of(5))))
                .isEqualTo(ids.subList(0, 5));
        assertThat(everywhere.findTopByCaptionOrderByIdDesc(caption))
                .map(Photo::id)
                .contains(ids.get(0));
        assertThat(everywhere.newestId(caption)).isEqualTo(ids.get(0));
        assertThat(idsOf(everywhere.natively(caption)))
                .isEqualTo(ids.stream().sorted().toList());
        assertThat(everywhere.findProjectedByCaption(caption))
                .hasSize(16)
                .allMatch(p -> caption.equals(p.getCaption()));
        assertThat(everywhere.countByCaption(caption)).isEqualTo(16);
        assertThat(everywhere.existsByCaption(caption)).isTrue();
        assertThat(everywhere.existsByCaption("none " + caption)).isFalse();
    }

    @Test
    void theBaseMethodsWhereTheyAreRedeclaredOrAScopeIsOpen() {
        assertThat(everywhere.count()).isGreaterThanOrEqualTo(16);
        assertThat(idsOf(everywhere.findAll(Sort.by("id").descending())))
                .containsAll(ids)
                .isSortedAccordingTo(NEWEST);
        assertThat(idsOf(everywhere.findAll((photo, query, builder) -> builder.equal(photo.get("caption"), caption))))
                .containsExactlyInAnyOrderElementsOf(ids);
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(everywhere::findAll)
                .withMessageContaining("@AllShards")
                .hasFieldOrPropertyWithValue("ofValue", true);
        Photo probe = new Photo();
        probe.setCaption(caption);
        assertThat(ShardContext.call(ShardSet.all(), () -> photos.findAll(Example.of(probe))))
                .hasSize(16);
        assertThat(ShardContext.call(ShardSet.of(Set.of(2, 6)), () -> everywhere.countByCaption(caption)))
                .isEqualTo(4);
    }

    @Test
    @Tag("quick")
    void windowsGoForwardsAndBackwards() {
        List<Long> forwards = new ArrayList<>();
        Window<Photo> window = everywhere.findFirst3ByCaptionOrderByIdDesc(caption, ScrollPosition.keyset());
        while (true) {
            forwards.addAll(idsOf(window));
            if (!window.hasNext()) {
                break;
            }
            window = everywhere.findFirst3ByCaptionOrderByIdDesc(caption, window.positionAt(window.size() - 1));
        }
        assertThat(forwards).isEqualTo(ids);
        Window<Photo> before = everywhere.findFirst3ByCaption(
                caption,
                ScrollPosition.backward(Map.of("id", ids.get(10))),
                Sort.by("id").descending());
        assertThat(idsOf(before)).isEqualTo(ids.subList(7, 10));
    }

    @Test
    void windowsByAnotherSort() {
        List<Long> found = new ArrayList<>();
        Sort sort = Sort.by("author.id", "id");
        Window<Photo> window = everywhere.findFirst3ByCaption(caption, ScrollPosition.keyset(), sort);
        while (true) {
            found.addAll(idsOf(window));
            if (!window.hasNext()) {
                break;
            }
            window = everywhere.findFirst3ByCaption(caption, window.positionAt(window.size() - 1), sort);
        }
        assertThat(found).hasSize(16).doesNotHaveDuplicates().containsAll(ids);
    }

    @Test
    @Tag("quick")
    void pagesAndSlices() {
        Sort newest = Sort.by("id").descending();
        for (int number = 0; number < 5; number++) {
            List<Long> expected = ids.subList(Math.min(16, 5 * number), Math.min(16, 5 * number + 5));
            Slice<Photo> slice = everywhere.findSliceByCaption(caption, PageRequest.of(number, 5, newest));
            assertThat(idsOf(slice)).isEqualTo(expected);
            assertThat(slice.hasNext()).isEqualTo(number < 3);
            Page<Photo> page = everywhere.findPageByCaption(caption, PageRequest.of(number, 5, newest));
            assertThat(idsOf(page)).isEqualTo(expected);
            assertThat(page.getTotalElements()).isEqualTo(16);
            assertThat(page.getTotalPages()).isEqualTo(4);
        }
    }

    @Test
    void pagesWithoutAnOrderAreInTheOrderOfTheId() {
        List<Long> expected = ids.stream().sorted().toList();
        for (int number = 0; number < 4; number++) {
            List<Long> page = expected.subList(5 * number, Math.min(16, 5 * number + 5));
            PageRequest request = PageRequest.of(number, 5);
            assertThat(idsOf(everywhere.findSliceByCaption(caption, request))).isEqualTo(page);
            assertThat(idsOf(everywhere.findPageByCaption(caption, request))).isEqualTo(page);
        }
        Specification<Photo> captioned = (root, query, builder) -> builder.equal(root.get("caption"), caption);
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() ->
                        ShardContext.call(ShardSet.all(), () -> everywhere.findAll(captioned, PageRequest.of(1, 5))))
                .withMessageContaining("OFFSET 5 without ORDER BY");
    }

    private <R> R fluently(Specification<Photo> condition, Function<SpecificationFluentQuery<Photo>, R> query) {
        return ShardContext.call(ShardSet.all(), () -> everywhere.findBy(condition, query));
    }

    @Test
    void theOrderOfASpecificationIsThatOfItsPages() {
        Specification<Photo> newest = (root, select, builder) -> {
            select.orderBy(builder.desc(root.get("id")));
            return builder.equal(root.get("caption"), caption);
        };
        for (int number = 0; number < 2; number++) {
            List<Long> page = ids.subList(5 * number, 5 * number + 5);
            PageRequest request = PageRequest.of(number, 5);
            Page<Photo> found = ShardContext.call(ShardSet.all(), () -> everywhere.findAll(newest, request));
            assertThat(idsOf(found)).isEqualTo(page);
            assertThat(found.getTotalElements()).isEqualTo(16);
            assertThat(idsOf(fluently(newest, query -> query.page(request)))).isEqualTo(page);
            assertThat(idsOf(fluently(newest, query -> query.slice(request)))).isEqualTo(page);
        }
        assertThat(idsOf(fluently(newest, query -> query.limit(5).scroll(ScrollPosition.offset(4)))))
                .isEqualTo(ids.subList(5, 10));
        Sort ascending = Sort.by("id");
        assertThat(idsOf(fluently(newest, query -> query.sortBy(ascending).page(PageRequest.of(0, 5)))))
                .isEqualTo(ids.stream().sorted().limit(5).toList());
    }

    @Test
    @Tag("quick")
    void pagesThatAreTooDeepOrOfAQueryWithoutOrderAreRefused() {
        app.resetTaps();
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> everywhere.findSliceByCaption(
                        caption, PageRequest.of(9999, 10, Sort.by("id").descending())))
                .withMessageContaining("OFFSET 99990 with 11 rows")
                .withMessageContaining("sharded-id.all-shards.max-rows")
                .withMessageContaining("ScrollPosition.keyset()");
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> everywhere.queryPageByCaption(caption, PageRequest.of(1, 4)))
                .withMessageContaining("OFFSET 4 without ORDER BY");
        assertThat(app.sent()).noneMatch(text -> text.contains("photo"));
    }

    @Test
    void streamsCloseWhatTheyOpen() {
        List<Long> read = app.<List<Long>>inTransaction(() -> {
            try (Stream<Photo> stream = everywhere.streamByCaptionOrderById(caption)) {
                return stream.map(Photo::id).toList();
            }
        });
        assertThat(read).isEqualTo(ids.stream().sorted().toList());
        app.inTransaction(() -> {
            try (Stream<Photo> stream = everywhere.streamByCaptionOrderById(caption)) {
                assertThat(stream.findFirst()).map(Photo::id).contains(ids.get(15));
            }
        });
        assertThatExceptionOfType(InvalidDataAccessApiUsageException.class)
                .isThrownBy(() -> everywhere.streamByCaptionOrderById(caption))
                .withMessageContaining("without a surrounding transaction");
    }

    @Test
    void groupsOfSeveralShardsBecomeOne() {
        app.photoOf(app.userIn(5), "another " + caption);
        assertThat(everywhere.counts(List.of(caption, "another " + caption, "none")))
                .extracting(row -> row[0], row -> row[1])
                .containsExactlyInAnyOrder(tuple(caption, 16L), tuple("another " + caption, 1L));
        assertThat(everywhere.counts(List.of(caption)))
                .extracting(row -> row[2])
                .containsExactly(ids.get(0));
        assertThat(everywhere.authors(caption, Limit.of(3)))
                .extracting(row -> row[0])
                .isEqualTo(authors.stream()
                        .map(User::id)
                        .sorted(NEWEST)
                        .limit(3)
                        .map(Object.class::cast)
                        .toList());
        assertThat(everywhere.captions("%" + caption)).containsExactlyInAnyOrder(caption, "another " + caption);
        assertThat(everywhere.averages(List.of(caption, "another " + caption), 2))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row[0]).isEqualTo(caption.length());
                    assertThat((Double) row[1]).isEqualTo(3.0);
                });
    }

    /** Spring Data counts all rows only if the page is full. */
    @Test
    @Tag("quick")
    void pagesOfDistinctRows() {
        for (int size = 1; size < 20; size += 5) {
            Page<Photo> photos = everywhere.pageOfDifferent(caption, PageRequest.of(0, size, Sort.by("id")));
            assertThat(photos.getTotalElements()).isEqualTo(16);
            assertThat(photos).hasSize(Math.min(size, 16));
        }
    }

    @Test
    @Tag("quick")
    void whatDoesNotMergeIsRefused() {
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> everywhere.spread(caption))
                .withMessageContaining("stddev_pop");
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> ShardContext.call(ShardSet.all(), () -> {
                    photos.deleteAllInBatch();
                    return null;
                }))
                .withMessageContaining("A write");
    }

    @Test
    void aTransactionSeesWhatItHasChanged() {
        long before = everywhere.countByCaption(caption);
        app.inTransaction(() -> {
            photos.findById(ids.get(0)).orElseThrow().setCaption("changed " + caption);
            assertThat(everywhere.countByCaption(caption)).isEqualTo(before - 1);
            assertThat(everywhere.countByCaption("changed " + caption)).isEqualTo(1);
        });
    }

    @Test
    @Tag("quick")
    void findAllByIdAsksTheShardsOfTheIdsOnly() {
        List<Long> some = ids.stream().filter(id -> app.shardOf(id) < 3).toList();
        app.resetTaps();
        assertThat(idsOf(photos.findAllById(some))).containsExactlyInAnyOrderElementsOf(some);
        // Not its turns: the pool may be opening a connection.
        assertThat(app.taps.get(1).frontendMessages()).noneMatch(text -> text.contains("photo"));
        assertThat(app.sent()).noneMatch(text -> text.contains("shard_0003"));
        assertThat(photos.findAllById(List.of(ids.get(0), app.cluster().layout().encode(1, 100, 1))))
                .hasSize(1);
    }

    @Test
    void findAllByIdWithinATransactionThatWrote() {
        app.inTransaction(() -> {
            photos.findById(ids.get(3)).orElseThrow().setCaption("changed " + caption);
            photos.flush();
            List<Photo> found = photos.findAllById(ids);
            assertThat(idsOf(found)).containsExactlyInAnyOrderElementsOf(ids);
            assertThat(found)
                    .filteredOn(photo -> photo.id() == ids.get(3))
                    .first()
                    .extracting(Photo::getCaption)
                    .isEqualTo("changed " + caption);
        });
    }

    @Test
    @Tag("quick")
    void aListOfIdsAsksTheShardsOfTheIdsOnly() {
        List<Long> some = ids.stream().filter(id -> app.shardOf(id) < 3).toList();
        app.resetTaps();
        assertThat(idsOf(photos.findByIdInOrderByIdDesc(some, Limit.of(5)))).isEqualTo(some.subList(0, 5));
        assertThat(idsOf(photos.listed(some, caption)))
                .isEqualTo(some.stream().sorted().toList());
        assertThat(photos.listed(some, "another")).isEmpty();
        assertThat(photos.countByIdIn(some)).isEqualTo(6);
        assertThat(app.taps.get(1).frontendMessages()).noneMatch(text -> text.contains("photo"));
        assertThat(app.sent()).noneMatch(text -> text.contains("shard_0003"));
        int shard = app.shardOf(some.get(0));
        List<Long> one = some.stream().filter(id -> app.shardOf(id) == shard).toList();
        assertThat(idsOf(photos.findByIdInOrderByIdDesc(one, Limit.of(5)))).isEqualTo(one);
    }

    /** A row that psql has put into another shard, past its constraint, shows which ids a shard is given. */
    @Test
    void aShardIsGivenItsOwnIdsOfAList() {
        Long displaced = app.cluster().layout().encode(1, 5, 1);
        User author = app.userIn(3);
        Long own = app.photoOf(author, caption).id();
        app.home(3)
                .execute("ALTER TABLE shard_0003.photo DROP CONSTRAINT sharded_id_check;"
                        + " INSERT INTO shard_0003.photo (id, author_id, caption) VALUES (" + displaced + ", "
                        + author.id() + ", 'displaced')");
        try {
            assertThat(photos.countByIdIn(List.of(displaced, own))).isEqualTo(1);
            assertThat(idsOf(photos.listed(List.of(displaced, own), caption))).containsExactly(own);
        } finally {
            app.home(3).execute("DELETE FROM shard_0003.photo WHERE id = " + displaced);
        }
    }

    @Test
    void aListOfShardKeysAsksTheirShards() {
        List<Long> owners = authors.stream().map(User::id).toList();
        Sort newest = Sort.by("id").descending();
        for (int number = 0; number < 4; number++) {
            Page<Photo> page = photos.findByAuthorIdIn(owners, PageRequest.of(number, 6, newest));
            assertThat(idsOf(page)).isEqualTo(ids.subList(Math.min(16, 6 * number), Math.min(16, 6 * number + 6)));
            assertThat(page.getTotalElements()).isEqualTo(16);
        }
        assertThat(photos.findByAuthorInAndCaption(authors.toArray(User[]::new), caption))
                .extracting(Photo::id)
                .containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void aListOfNoShardFindsNothing() {
        Long unknown = app.cluster().layout().encode(1, 100, 1);
        List<Long> odd = new ArrayList<>(List.of(-1L, unknown, ids.get(3), ids.get(3), ids.get(9)));
        odd.addAll(Collections.singletonList(null));
        assertThat(idsOf(photos.findByIdInOrderByIdDesc(odd, Limit.of(5)))).containsExactly(ids.get(3), ids.get(9));
        assertThat(photos.findByIdInOrderByIdDesc(List.of(), Limit.of(5))).isEmpty();
        assertThat(photos.findByIdInOrderByIdDesc(List.of(-1L, unknown), Limit.of(5)))
                .isEmpty();
        assertThat(photos.findByIdInOrderByIdDesc(Collections.singleton(null), Limit.of(5)))
                .isEmpty();
        assertThat(photos.countByIdIn(List.of())).isZero();
        assertThat(photos.findByAuthorIdIn(List.of(unknown), PageRequest.of(2, 3)))
                .isEmpty();
        assertThat(photos.listed(List.of(), caption)).isEmpty();
    }

    @Test
    void whatAListDoesNotDecideIsRefused() {
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> photos.findByIdNotIn(ids))
                .hasFieldOrPropertyWithValue("ofValue", true);
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> photos.findByIdInOrCaption(ids, caption))
                .hasFieldOrPropertyWithValue("ofValue", true);
        assertThatExceptionOfType(SecondWriteShardException.class).isThrownBy(() -> photos.deleteByIdIn(ids));
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> photos.unlisted(ids))
                .hasFieldOrPropertyWithValue("ofValue", true);
    }

    @Test
    void aListOfIdsInAScope() {
        List<Long> some = ids.stream().filter(id -> app.shardOf(id) < 3).toList();
        assertThat(ShardContext.call(7, () -> idsOf(photos.findByIdInOrderByIdDesc(some, Limit.of(9)))))
                .isEqualTo(some);
        List<Long> ofOne = some.stream().filter(id -> app.shardOf(id) == 1).toList();
        assertThat(ShardContext.call(
                        ShardSet.of(Set.of(1, 7)), () -> idsOf(photos.findByIdInOrderByIdDesc(some, Limit.of(9)))))
                .isEqualTo(ofOne);
        app.inTransaction(() -> {
            photos.findById(ids.get(3)).orElseThrow().setCaption("changed " + caption);
            assertThat(idsOf(photos.listed(ids, "changed " + caption))).containsExactly(ids.get(3));
            assertThat(photos.listed(ids, caption)).hasSize(15);
        });
    }

    @Test
    @Tag("quick")
    void severalShardsAreWrittenOneByOneOutsideATransaction() {
        List<User> saved = users.saveAll(
                IntStream.range(0, 40).mapToObj(i -> new User("many " + i)).toList());
        assertThat(saved)
                .extracting(User::getName)
                .startsWith("many 0", "many 1")
                .endsWith("many 39");
        assertThat(saved.stream().map(user -> app.shardOf(user.id())).distinct())
                .hasSizeGreaterThan(2);
        assertThat(users.findAllById(saved.stream().map(User::id).toList())).hasSize(40);

        users.deleteAllById(saved.stream().limit(20).map(User::id).toList());
        users.deleteAllInBatch(saved.subList(20, 40));
        assertThat(users.findAllById(saved.stream().map(User::id).toList())).isEmpty();
    }

    @Test
    @Tag("quick")
    void childrenOfSeveralShardsAreSavedWithTheirParentsAndComeBackInPlace() {
        User two = app.userIn(2);
        User seven = app.userIn(7);
        List<Photo> saved =
                photos.saveAll(List.of(new Photo(seven, "first"), new Photo(two, "second"), new Photo(seven, "third")));

        assertThat(saved).extracting(Photo::getCaption).containsExactly("first", "second", "third");
        assertThat(saved).extracting(photo -> app.shardOf(photo.id())).containsExactly(7, 2, 7);
        assertThat(photos.countByAuthorId(seven.id())).isEqualTo(2);
        Photo second = saved.get(1);
        second.setCaption("changed");
        assertThat(photos.saveAll(List.of(second, saved.get(2))))
                .first()
                .extracting(Photo::getCaption)
                .isEqualTo("changed");
    }

    @Test
    @Tag("quick")
    void aPartialWriteTellsWhatWasWritten() {
        User first = app.userIn(1);
        User second = app.userIn(6);
        app.photoOf(second, "refers to its author");
        assertThatExceptionOfType(PartialWriteException.class)
                .isThrownBy(() -> users.deleteAllById(List.of(second.id(), first.id())))
                .withMessageContaining("shards [1]")
                .withMessageContaining("shards [6]")
                .satisfies(e -> {
                    assertThat(e.written()).containsOnlyKeys(1);
                    assertThat(e.notWritten().get(6)).isEqualTo(List.of(second.id()));
                });
        assertThat(users.existsById(first.id())).isFalse();
        assertThat(users.existsById(second.id())).isTrue();
    }

    /** The server ends the session in the midst of the COMMIT, where its client cannot know what has become of it. */
    @Test
    void aCommitWhoseOutcomeIsUnknownIsToldApart() {
        User first = app.userIn(1);
        User second = app.userIn(6);
        TestDatabase pg2 = app.home(6);
        pg2.execute("CREATE FUNCTION shard_0006.break_off() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';"
                + " CREATE CONSTRAINT TRIGGER break_off AFTER DELETE ON shard_0006.app_user"
                + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION shard_0006.break_off()");
        try {
            assertThatExceptionOfType(PartialWriteException.class)
                    .isThrownBy(() -> users.deleteAllById(List.of(second.id(), first.id())))
                    .withMessageContaining("broke at the commit in the shards [6]")
                    .satisfies(e -> {
                        assertThat(e.written()).containsOnlyKeys(1);
                        assertThat(e.notWritten()).isEmpty();
                        assertThat(e.outcomeUnknown().get(6)).isEqualTo(List.of(second.id()));
                    });
        } finally {
            pg2.execute("DROP FUNCTION shard_0006.break_off() CASCADE");
        }
    }

    @Test
    @Tag("quick")
    void missingShardsOnlyIfThatIsAllowed() {
        try (ConfigurableApplicationContext other =
                app.start("sharded-id.databases.pg2.hikari.connection-timeout=250")) {
            PhotosEverywhere everywhere = other.getBean(PhotosEverywhere.class);
            app.taps.get(1).cut();
            assertThatExceptionOfType(RuntimeException.class)
                    .isThrownBy(() -> everywhere.countByCaption(caption))
                    .withMessageContaining("pg2");
            MissingShards missing = new MissingShards();
            assertThat(ShardContext.call(
                            ShardSet.all().withoutUnreachable(missing), () -> everywhere.countByCaption(caption)))
                    .isEqualTo(8);
            assertThat(missing.shards()).containsExactly(4, 5, 6, 7);
        } finally {
            app.restore(1);
        }
    }

    @Test
    void plainSpringJdbc() {
        JdbcClient jdbc = app.bean(JdbcClient.class);
        assertThat(ShardContext.call(ShardSet.all(), () -> jdbc.sql(
                                "select id from sharded_id_shard.photo where caption = :caption order by id desc")
                        .param("caption", caption)
                        .query(Long.class)
                        .list()))
                .isEqualTo(ids);
        List<Object> arrays = List.of(
                ids.toArray(Long[]::new),
                ids.stream().mapToLong(Long::longValue).toArray(),
                new SqlArrayValue("bigint", ids.toArray()));
        for (Object array : arrays) {
            assertThat(ShardContext.call(ShardSet.all(), () -> jdbc.sql(
                                    "select id from sharded_id_shard.photo where id = any(?) order by id desc")
                            .param(array)
                            .query(Long.class)
                            .list()))
                    .isEqualTo(ids);
        }
        assertThat(ShardContext.call(ShardSet.all(), () -> jdbc.sql("select count(*) from sharded_id_shard.photo")
                        .query(Long.class)
                        .single()))
                .isGreaterThanOrEqualTo(16L);
    }
}
