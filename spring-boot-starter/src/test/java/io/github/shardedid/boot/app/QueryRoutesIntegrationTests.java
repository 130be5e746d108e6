package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.querydsl.core.BooleanBuilder;
import com.querydsl.core.types.dsl.BooleanExpression;
import com.querydsl.jpa.JPAExpressions;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.spring.data.RepositoryRoutes;
import io.github.shardedid.spring.data.ShardedRepositoryPostProcessor;
import io.github.shardedid.topology.UnknownShardException;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.NoResultException;
import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Predicate;
import jakarta.persistence.criteria.Root;
import jakarta.persistence.criteria.Subquery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.query.TypedParameterValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.domain.Example;
import org.springframework.data.domain.ExampleMatcher;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Sort;
import org.springframework.data.jpa.domain.DeleteSpecification;
import org.springframework.data.jpa.domain.PredicateSpecification;
import org.springframework.data.jpa.domain.Specification;
import org.springframework.data.jpa.repository.JpaSpecificationExecutor;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.jpa.repository.support.JpaRepositoryFactoryBean;
import org.springframework.data.querydsl.QuerydslPredicateExecutor;
import org.springframework.data.repository.Repository;
import org.springframework.data.repository.query.Param;
import org.springframework.data.repository.query.QueryByExampleExecutor;
import org.springframework.data.util.Streamable;
import org.springframework.transaction.annotation.Transactional;

/** A declared query goes to the shard of what its text compares the arguments with, or the application does not start. */
@Tag("quick")
class QueryRoutesIntegrationTests {
    private final RunningApp app = RunningApp.shared();

    interface Visits extends Repository<Visit, Long> {
        @Query("select v.page from Visit v where v.id = :id")
        @Nullable
        String plain(Long id);

        @Query("from #{#entityName} v where v.page like %:page% and v.id = :id")
        Optional<Visit> like(@Param("page") String some, @Param("id") Long number);

        @Query("select v from Visit v where ?2 = v.visitor and v.page <> ?1")
        List<Visit> positional(String page, long visitor);

        @Query("select v.page from Visit v where v.id = :#{#id}")
        @Nullable
        String byExpression(Long id);

        @Query("select v.page from Visit v where v.id = :id")
        @Nullable
        String annotated(@ShardKey Long id);

        @NativeQuery("select page from {h-schema}visit v where v.id = :id")
        @Nullable
        String natively(@ShardKey Long id);

        @NativeQuery("select page from {h-schema}visit where visitor = ?1")
        List<String> nativelyByKey(@ShardKey Integer visitor);

        @Nullable
        Visit findByIdAndPage(@ShardKey Long id, String page);

        @Transactional
        @Modifying
        @Query("update Visit v set v.page = :page where v.id = :id")
        int turn(Long id, String page);

        @Query("select v.page from Visit v where array_contains(:ids, v.id) order by v.id")
        List<String> ofArray(Long[] ids);

        @Transactional
        @Modifying
        @Query("update Visit v set v.page = :page where v.id in :ids")
        int turnAll(Collection<Long> ids, String page);

        @Transactional
        long deleteByIdIn(Collection<Long> ids);

        @NativeQuery("select page from {h-schema}visit v where :id = v.id")
        @Nullable
        String nativelyById(Long id);

        @NativeQuery("select page from {h-schema}visit v where v.id = cast(:id as bigint)")
        @Nullable
        String nativelyCast(Long id);

        @NativeQuery("select page from {h-schema}visit v where v.id = cast(:id as bigint)")
        @Nullable
        String nativelyParsed(String id);

        @NativeQuery("select page from {h-schema}visit v where v.id = abs(:id)")
        @Nullable
        String nativelyComputed(Long id);

        @NativeQuery("select page from {h-schema}visit v where v.id = any(?1) order by v.id")
        List<String> nativelyOfArray(Long[] ids);

        @NativeQuery("select page from {h-schema}visit v where v.id = any(:ids)")
        List<String> nativelyOfTyped(TypedParameterValue<Long[]> ids);

        @NativeQuery("select page from {h-schema}visit v where v.id in (:ids) order by v.id")
        List<String> nativelyOfList(List<Long> ids);

        @Transactional
        @Modifying
        @NativeQuery("update {h-schema}visit set page = :page where id in (:ids)")
        int nativelyTurned(String page, List<Long> ids);

        @NativeQuery("select page from {h-schema}visit v where v.id = :id or v.page = 'x'")
        List<String> nativelyEither(Long id);

        @Query("select v.page from Visit v where v.id = :id or v.page = 'x'")
        List<String> either(Long id);

        @Query("select v.page from Visit v, Visit w where v.id = :id")
        List<String> several(Long id);

        @Query("select v.page from Visit v where v.id = :id and exists (select 1 from Visit w where w.page = v.page)")
        List<String> within(Long id);

        @Query(
                "select v.page from Visit v where v.id = :id and exists (select 1 from Visit w where w.visitor = v.visitor)")
        List<String> tied(Long id);

        @Query("select v.page from Visit v where v.id in (:one, :other) order by v.id")
        List<String> oneOf(Long one, Long other);

        @Transactional
        @Modifying
        @Query(
                "update Visit v set v.page = :page where v.id = :id and v.page in (select w.page from Visit w where w.id = :id)")
        int turnWithin(Long id, String page);

        List<Visit> findByIdOrVisitor(Long id, long visitor);
    }

    private <T> T repository(Class<T> type) {
        return app.inTransaction(() -> make(type, true));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private <T> T make(Class<T> type, boolean routed) {
        JpaRepositoryFactoryBean factory = new JpaRepositoryFactoryBean(type);
        factory.setEntityManager(app.bean(EntityManager.class));
        factory.setBeanFactory(app.context.getBeanFactory());
        factory.setBeanClassLoader(type.getClassLoader());
        if (routed) {
            RepositoryRoutes routes = new RepositoryRoutes();
            routes.refuse(false);
            new ShardedRepositoryPostProcessor(() -> Stream.of(app.bean(EntityManagerFactory.class)), routes)
                    .postProcessBeforeInitialization(factory, "some");
        }
        factory.afterPropertiesSet();
        return (T) factory.getObject();
    }

    @Test
    void whatTheTextFixesByEqualityDecides() {
        Visits visits = repository(Visits.class);
        Visit visit = app.bean(VisitRepository.class).save(new Visit(31_342, "home"));
        long id = visit.id();
        assertThat(id % 8).as("the wrong shard, were the id taken for a key").isNotEqualTo(app.shardOf(id));

        assertThat(visits.plain(id)).isEqualTo("home");
        assertThat(visits.like("om", id)).isPresent();
        assertThat(visits.positional("away", 31_342)).isNotEmpty();
        assertThat(visits.byExpression(id)).isEqualTo("home");
        assertThat(visits.annotated(id)).isEqualTo("home");
        assertThat(visits.natively(id)).isEqualTo("home");
        assertThat(visits.nativelyByKey(31_342)).isNotEmpty();
        assertThat(visits.findByIdAndPage(id, "home")).isNotNull();
        assertThat(visits.turn(id, "next")).isEqualTo(1);
        assertThat(ShardContext.<String>call((app.shardOf(id) + 1) % 8, () -> visits.plain(id)))
                .isEqualTo("next");
    }

    /** A list may be of several shards if the method only reads. */
    @Test
    void listsAndArraysDecide() {
        Visits visits = repository(Visits.class);
        List<Visit> saved = Stream.of("one", "two")
                .map(page -> app.bean(VisitRepository.class).save(new Visit(page.hashCode(), page)))
                .toList();
        List<Long> ids = saved.stream().map(Visit::id).toList();
        assertThat(ids.stream().map(app::shardOf)).doesNotHaveDuplicates();

        assertThat(visits.ofArray(ids.toArray(Long[]::new))).containsExactly("one", "two");
        assertThat(visits.ofArray(new Long[0])).isEmpty();
        assertThat(visits.turnAll(ids.subList(1, 2), "three")).isEqualTo(1);
        assertThat(visits.turnAll(List.of(), "three")).isZero();
        assertThat(visits.ofArray(ids.toArray(Long[]::new))).containsExactly("one", "three");
        assertThatExceptionOfType(SecondWriteShardException.class)
                .isThrownBy(() -> visits.turnAll(ids, "four"))
                .withMessageContaining("once per shard");
        assertThatExceptionOfType(SecondWriteShardException.class).isThrownBy(() -> visits.deleteByIdIn(ids));
        assertThatExceptionOfType(UnknownShardException.class)
                .isThrownBy(() -> visits.turnAll(List.of(8191L << 10), "four"));
        assertThat(visits.nativelyById(ids.get(0))).isEqualTo("one");
        assertThat(visits.nativelyOfArray(ids.toArray(Long[]::new))).containsExactly("one", "three");
        assertThat(visits.nativelyOfList(ids)).containsExactly("one", "three");
        assertThat(visits.nativelyOfList(List.of())).isEmpty();
        assertThat(visits.nativelyTurned("five", List.of())).isZero();
        assertThat(visits.nativelyTurned("five", ids.subList(0, 1))).isEqualTo(1);
        assertThatExceptionOfType(SecondWriteShardException.class).isThrownBy(() -> visits.nativelyTurned("six", ids));
        assertThat(visits.nativelyOfList(ids)).containsExactly("five", "three");
        assertThat(visits.deleteByIdIn(ids.subList(0, 1))).isEqualTo(1);
        assertThat(visits.deleteByIdIn(List.of())).isZero();
        assertThat(visits.ofArray(ids.toArray(Long[]::new))).containsExactly("three");
    }

    @Test
    void valuesThatOnlyHibernateKnowsDecide() {
        Visits visits = repository(Visits.class);
        long id = app.bean(VisitRepository.class).save(new Visit(7, "typed")).id();
        assertThat(visits.ofArray(new Long[] {id}))
                .as("Hibernate knows the type now")
                .hasSize(1);
        TypedParameterValue<Long[]> ids = TypedParameterValue.of(
                app.bean(EntityManagerFactory.class)
                        .unwrap(SessionFactoryImplementor.class)
                        .getTypeConfiguration()
                        .getBasicTypeForJavaType(Long[].class),
                new Long[] {id});

        assertThat(ShardContext.<List<String>>call(app.shardOf(id), () -> visits.nativelyOfTyped(ids)))
                .containsExactly("typed");
        assertThat(visits.nativelyOfTyped(ids)).containsExactly("typed");
    }

    /** As other methods of a repository do, and queries of an EntityManager. */
    @Test
    void nativeMethodsByIdLeaveTheScope() {
        Visits visits = repository(Visits.class);
        long id = app.bean(VisitRepository.class).save(new Visit(8, "left")).id();
        int other = (app.shardOf(id) + 1) % 8;

        assertThat(ShardContext.<String>call(other, () -> visits.nativelyById(id)))
                .isEqualTo("left");
        assertThat(ShardContext.<List<String>>call(other, () -> visits.nativelyOfList(List.of(id))))
                .containsExactly("left");
        assertThat(ShardContext.<List<String>>call(
                        ShardSet.of(Set.of(other)), () -> visits.nativelyOfList(List.of(id))))
                .isEmpty();
        assertThat(ShardContext.<Integer>call(
                        ShardSet.of(Set.of(other)), () -> visits.nativelyTurned("changed", List.of(id))))
                .isEqualTo(1);
        assertThat(ShardContext.<List<?>>call(other, () -> app.bean(EntityManager.class)
                        .createNativeQuery("select page from {h-schema}visit v where v.id = :id", String.class)
                        .setParameter("id", id)
                        .getResultList()))
                .isEqualTo(List.of("changed"));
        assertThat(ShardContext.<String>call(other, () -> visits.nativelyCast(id)))
                .isEqualTo("changed");
        assertThat(visits.nativelyCast(id)).isEqualTo("changed");
        assertThat(ShardContext.<String>call(other, () -> visits.nativelyParsed(String.valueOf(id))))
                .isEqualTo("changed");
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> ShardContext.<String>call(other, () -> visits.nativelyComputed(id)))
                .withMessageContaining("compares v.id with a value that is no id before the database computes it");
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> visits.nativelyComputed(id))
                .hasFieldOrPropertyWithValue("ofValue", true);
    }

    @Test
    void whatItFixesForSomeRowsOnlyDoesNot() {
        Visits visits = repository(Visits.class);
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> visits.either(1L))
                .withMessageContaining("by equality")
                .hasFieldOrPropertyWithValue("ofValue", true);
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> visits.nativelyEither(1L))
                .hasFieldOrPropertyWithValue("ofValue", true);
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> visits.several(1L))
                .withMessageContaining("its query fixes")
                .withMessageContaining("Visit.id, but also has rows of")
                .withMessageContaining("Visit w")
                .hasFieldOrPropertyWithValue("ofValue", true);
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> visits.within(1L))
                .hasFieldOrPropertyWithValue("ofValue", true);
    }

    /** Also in the scope of another shard. */
    @Test
    void keysBesideASubselectDecide() {
        Visits visits = repository(Visits.class);
        List<Visit> saved = Stream.of(3, 4)
                .map(visitor -> app.bean(VisitRepository.class).save(new Visit(visitor, "page " + visitor)))
                .toList();
        long id = saved.get(0).id();
        int other = (app.shardOf(id) + 2) % 8;
        for (int i = 0; i < 2; i++) {
            try (ShardContext.Scope scope = i == 0 ? ShardContext.open(app.shardOf(id)) : ShardContext.open(other)) {
                assertKeysDecide(visits, saved);
            }
        }
        assertKeysDecide(visits, saved);
    }

    private void assertKeysDecide(Visits visits, List<Visit> saved) {
        long id = saved.get(0).id();
        assertThat(visits.tied(id)).containsExactly("page 3");
        assertThat(visits.oneOf(id, saved.get(1).id())).containsExactlyInAnyOrder("page 3", "page 4");
        assertThat(visits.turnWithin(id, "page 3")).isEqualTo(1);
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> visits.findByIdOrVisitor(id, 4))
                .withMessageMatching("(?s).*(determines no shard|open scope, which is shard).*");
    }

    /** As derived queries do: by the id, the shard key, an association, or a list of these. */
    @Test
    void conditionsOfTheCriteriaApiDecide() {
        PhotoRepository photos = app.bean(PhotoRepository.class);
        List<User> authors = Stream.of(1, 4, 6).map(app::userIn).toList();
        String caption = "condition " + UUID.randomUUID();
        List<Photo> saved =
                authors.stream().map(author -> app.photoOf(author, caption)).toList();
        Specification<Photo> named = (root, query, builder) -> builder.equal(root.get("caption"), caption);
        Specification<Photo> byId = (root, query, builder) ->
                builder.equal(root.get("id"), saved.get(1).id());
        Specification<Photo> byAuthor = (root, query, builder) -> builder.equal(root.get("author"), authors.get(2));
        Specification<Photo> byAuthors = (root, query, builder) -> root.get("author")
                .get("id")
                .in(authors.stream().limit(2).map(User::id).toList());

        app.resetTaps();
        assertThat(photos.findOne(named.and(byId)))
                .map(Photo::id)
                .contains(saved.get(1).id());
        assertThat(photos.count(byAuthor)).isEqualTo(1);
        assertThat(photos.exists(byAuthor.and(named))).isTrue();
        assertThat(photos.<Photo, Long>findBy(byAuthor, found -> found.count())).isEqualTo(1);
        assertThat(app.sent()).noneMatch(text -> text.contains("union all"));
        Page<Photo> page = photos.findAll(
                named.and(byAuthors), PageRequest.of(0, 1, Sort.by("id").descending()));
        assertThat(page.getTotalElements()).isEqualTo(2);
        assertThat(page.getContent()).hasSize(1);
        Photo probe = new Photo();
        probe.setAuthor(authors.get(0));
        assertThat(photos.findAll(Example.of(probe)))
                .extracting(Photo::id)
                .containsExactly(saved.get(0).id());

        Specification<Photo> nothing = (root, query, builder) -> builder.equal(root.get("id"), 8191L << 10);
        assertThat(photos.findAll(nothing)).isEmpty();
        assertThat(photos.<Photo, Boolean>findBy(nothing, found -> found.exists()))
                .isFalse();
        for (Specification<Photo> condition : List.of(
                named, byId.or(named), Specification.not(byId), byId.and(QueryRoutesIntegrationTests::anotherPhoto))) {
            assertThatExceptionOfType(NoShardException.class)
                    .isThrownBy(() -> photos.findAll(condition))
                    .hasFieldOrPropertyWithValue("ofValue", true);
        }
    }

    private static CriteriaQuery<Photo> ofAuthors(EntityManager entities, List<User> authors) {
        CriteriaBuilder builder = entities.getCriteriaBuilder();
        CriteriaQuery<Photo> query = builder.createQuery(Photo.class);
        Root<Photo> photo = query.from(Photo.class);
        return query.where(photo.get("author").in(authors)).orderBy(builder.desc(photo.get("id")));
    }

    @Test
    void queriesOfTheEntityManagerRouteThemselves() {
        EntityManager entities = app.bean(EntityManager.class);
        List<User> authors = Stream.of(1, 4, 6).map(app::userIn).toList();
        String caption = "managed " + UUID.randomUUID();
        List<Long> ids = authors.stream()
                .map(author -> app.photoOf(author, caption).id())
                .sorted(java.util.Comparator.reverseOrder())
                .toList();
        String byAuthor = "select count(p) from Photo p where p.author = :author and p.caption = :caption";
        String byIds = "select p.id from Photo p where p.caption = :caption and p.id in :ids order by p.id desc";
        for (int i = 0; i < 3; i++) {
            app.resetTaps();
            assertThat(entities.createQuery(byAuthor, Long.class)
                            .setParameter("author", authors.get(i))
                            .setParameter("caption", caption)
                            .getSingleResult())
                    .isEqualTo(1);
            assertThat(app.sent()).noneMatch(text -> text.contains("union all"));
            assertThat(entities.createQuery(byIds, Long.class)
                            .setParameter("caption", caption)
                            .setParameter("ids", ids.subList(0, i))
                            .getResultList())
                    .isEqualTo(ids.subList(0, i));
        }
        assertThat(entities.createQuery(ofAuthors(entities, authors))
                        .setMaxResults(2)
                        .getResultList())
                .extracting(Photo::id)
                .isEqualTo(ids.subList(0, 2));
        assertThat(app.<List<Long>>inTransaction(() -> entities.createQuery(byIds, Long.class)
                        .setParameter("caption", caption)
                        .setParameter("ids", ids)
                        .getResultStream()
                        .toList()))
                .isEqualTo(ids);
        int shard = app.shardOf(ids.get(0));
        assertThat(ShardContext.call(ShardSet.of(java.util.Set.of(shard)), () -> entities.createQuery(byIds, Long.class)
                        .setParameter("caption", caption)
                        .setParameter("ids", ids)
                        .getResultList()))
                .as("within the scope of a set")
                .isEqualTo(ids.subList(0, 1));
    }

    @Test
    void queriesOfTheEntityManagerWithoutARequiredKeyAreRefused() {
        EntityManager entities = app.bean(EntityManager.class);
        for (String condition : List.of(
                "p.id = :id or p.caption = 'x'",
                "not p.id = :id",
                "p.id <> :id",
                "p.caption = 'x' and :id is not null",
                "p.id = :id and exists (select 1 from Photo q where q.caption = p.caption)",
                "p.id = :id and p.id <> (select c.photo.id from Comment c where c.words = 'x')",
                "p.id = :id and not p.id = (select c.photo.id from Comment c where c.words = 'x')",
                "p.id = :id and p.id < (select c.photo.id from Comment c where c.words = 'x')",
                "p.id = :id and p.id not in (select c.photo.id from Comment c)")) {
            assertThatExceptionOfType(RuntimeException.class)
                    .as(condition)
                    .isThrownBy(() -> entities.createQuery("from Photo p where " + condition, Photo.class)
                            .setParameter("id", 1L)
                            .getResultList())
                    .withStackTraceContaining("NoShardException");
        }
        for (String alternative :
                List.of("p.id = :id or p.caption = 'x'", ":id in (p.id, p.author.id)", "p.id in (:id, p.author.id)")) {
            assertThatExceptionOfType(RuntimeException.class)
                    .as(alternative)
                    .isThrownBy(() -> ShardContext.call(
                            3, () -> entities.createQuery("from Photo p where " + alternative, Photo.class)
                                    .setParameter("id", 1L)
                                    .getResultList()))
                    .withStackTraceContaining("NoShardException");
        }
    }

    interface Queried extends Repository<Photo, Long>, QuerydslPredicateExecutor<Photo> {}

    @Test
    void conditionsOfQuerydslDecide() {
        Queried photos = repository(Queried.class);
        List<User> authors = Stream.of(2, 5, 7).map(app::userIn).toList();
        String caption = "queried " + UUID.randomUUID();
        List<Photo> saved =
                authors.stream().map(author -> app.photoOf(author, caption)).toList();
        QPhoto photo = QPhoto.photo;
        long id = saved.get(1).id();

        app.resetTaps();
        assertThat(photos.findOne(photo.caption.eq(caption).and(photo.id.eq(id))))
                .map(Photo::id)
                .contains(id);
        assertThat(photos.count(new BooleanBuilder(photo.author.eq(authors.get(0)))))
                .isEqualTo(1);
        assertThat(photos.exists(photo.author.eq(authors.get(2)).and(photo.caption.ne("other"))))
                .isTrue();
        assertThat(app.sent()).noneMatch(text -> text.contains("union all"));
        assertThat(photos.findAll(
                        photo.id.in(saved.stream().map(Photo::id).toList()),
                        PageRequest.of(0, 2, Sort.by("id").descending())))
                .extracting(Photo::id)
                .hasSize(2)
                .isSortedAccordingTo(java.util.Comparator.reverseOrder());
        for (BooleanExpression condition : List.of(
                photo.caption.eq(caption),
                photo.id.eq(id).or(photo.caption.eq(caption)),
                photo.id.eq(id).not(),
                photo.id
                        .eq(id)
                        .and(photo.caption.in(
                                JPAExpressions.select(new QPhoto("p").caption).from(new QPhoto("p")))))) {
            assertThatExceptionOfType(NoShardException.class)
                    .isThrownBy(() -> photos.count(condition))
                    .hasFieldOrPropertyWithValue("ofValue", true);
        }
    }

    interface Specifications
            extends Repository<Photo, Long>, JpaSpecificationExecutor<Photo>, QueryByExampleExecutor<Photo> {}

    /** How often a condition is made, and what comes of a failure in it, by Spring Data alone and with routing. */
    @Test
    void aConditionIsMadeAsOftenAndFailsAsWithPlainSpringData() {
        Photo saved = app.photoOf(app.userIn(5), "made once");
        Specifications plain = app.inTransaction(() -> make(Specifications.class, false));
        Specifications routed = repository(Specifications.class);
        List<Function<Specifications, Object>> calls = new ArrayList<>();
        Queue<Integer> made = new ConcurrentLinkedQueue<>();
        Specification<Photo> counting = (root, query, builder) -> {
            made.add(1);
            return builder.equal(root.get("id"), saved.id());
        };
        PredicateSpecification<Photo> countingPredicate = (from, builder) -> {
            made.add(1);
            return builder.equal(from.get("id"), saved.id());
        };
        calls.add(photos -> photos.findAll(counting));
        calls.add(photos -> photos.findAll(countingPredicate));
        calls.add(photos -> photos.findOne(counting));
        calls.add(photos -> photos.count(counting));
        calls.add(photos -> photos.exists(counting));
        calls.add(photos -> photos.findAll(counting, Sort.by("caption")));
        calls.add(photos -> photos.findAll(counting, PageRequest.of(0, 1)).getTotalElements());
        calls.add(photos -> photos.<Photo, Object>findBy(counting, query -> query.all()));
        calls.add(photos -> photos.<Photo, Object>findBy(counting, query -> query.page(PageRequest.of(0, 1))));
        calls.add(photos -> photos.<Photo, Object>findBy(
                counting, query -> query.sortBy(Sort.by("id")).scroll(ScrollPosition.keyset())));
        calls.add(photos -> {
            Iterator<Long> once = List.of(saved.id()).iterator();
            return photos.findAll((root, query, builder) -> builder.equal(root.get("id"), once.next()));
        });
        calls.add(photos ->
                photos.findAll((Specification<Photo>) (root, query, builder) -> builder.equal(root.get("none"), 1)));
        for (RuntimeException thrown : List.of(
                new IllegalArgumentException("thrown"),
                new NoResultException("thrown"),
                new IllegalStateException("thrown"),
                new UnsupportedOperationException("thrown"))) {
            calls.add(photos -> photos.findAll((Specification<Photo>) (root, query, builder) -> {
                throw thrown;
            }));
            calls.add(photos -> photos.<Photo, Object>findBy(counting, query -> {
                throw thrown;
            }));
            Photo probe = new Photo();
            probe.setCaption("probe");
            calls.add(photos ->
                    photos.findAll(Example.of(probe, ExampleMatcher.matching().withTransformer("caption", caption -> {
                        made.add(1);
                        throw thrown;
                    }))));
        }
        calls.add(photos -> photos.delete((DeleteSpecification<Photo>) (root, delete, builder) -> {
            throw new IllegalArgumentException("thrown");
        }));
        for (int i = 0; i < calls.size(); i++) {
            Function<Specifications, Object> call = calls.get(i);
            String expected = ShardContext.call(5, () -> outcome(call, plain)) + made.size();
            made.clear();
            assertThat(outcome(call, routed) + made.size()).as("call " + i).isEqualTo(expected);
            made.clear();
            assertThat(ShardContext.<String>call(2, () -> outcome(call, routed)) + made.size())
                    .as("call " + i + " in another scope")
                    .isEqualTo(expected);
            made.clear();
        }
    }

    private static String outcome(Function<Specifications, Object> call, Specifications photos) {
        try {
            Object result = call.apply(photos);
            return result instanceof Iterable<?> rows
                    ? Streamable.of(rows).map(row -> ((Photo) row).id()).toList() + " "
                    : result instanceof Optional<?> row ? row.map(photo -> ((Photo) photo).id()) + " " : result + " ";
        } catch (RuntimeException e) {
            return e.getClass().getName() + " by " + e.getCause() + " ";
        }
    }

    private static Predicate anotherPhoto(Root<Photo> root, CriteriaQuery<?> query, CriteriaBuilder builder) {
        Subquery<Long> other = query.subquery(Long.class);
        return builder.exists(other.select(other.from(Photo.class).get("id")));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                MisplacedShardKeys.Text.class,
                MisplacedShardKeys.Maybe.class,
                MisplacedShardKeys.Several.class,
                MisplacedShardKeys.Numbers.class,
                MisplacedShardKeys.Later.class,
                MisplacedShardKeys.OfPage.class,
                MisplacedShardKeys.ByUuid.class,
                MisplacedShardKeys.Specified.class,
                MisplacedShardKeys.OfBase.class,
                MisplacedShardKeys.Both.class
            })
    void aParameterThatCannotDecideIsRefusedAtStart(Class<?> repository) {
        assertThatExceptionOfType(ShardedIdMappingException.class)
                .isThrownBy(() -> repository(repository))
                .withMessageContaining("The parameter with @ShardKey of " + repository.getSimpleName());
    }
}
