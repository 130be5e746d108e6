package io.github.shardedid.boot.app;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.querydsl.core.types.Predicate;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.spring.data.AllShards;
import io.github.shardedid.spring.data.RouteKind;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.Sort;
import org.springframework.data.jpa.repository.EntityGraph;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.jpa.repository.support.JpaEntityInformation;
import org.springframework.data.jpa.repository.support.SimpleJpaRepository;
import org.springframework.data.querydsl.QuerydslPredicateExecutor;
import org.springframework.data.repository.core.support.RepositoryComposition.RepositoryFragments;
import org.springframework.data.repository.core.support.RepositoryFragment;
import org.springframework.transaction.annotation.Transactional;

/** Code of the application that implements a method gets no scope, whatever the method is called and where it is declared. */
@Tag("quick")
class OwnCodeIntegrationTests {
    private final RunningApp app = RunningApp.shared();
    private final String caption = UUID.randomUUID().toString();

    /** Two photos in shard 2 and one in shard 6. */
    private List<Photo> threePhotos() {
        User near = app.userIn(2);
        return List.of(app.photoOf(near, caption), app.photoOf(near, caption), app.photoOf(app.userIn(6), caption));
    }

    /** What the application's code does: a query that names no shard, and one that does. */
    static final class Code {
        final EntityManager entities;
        int calls;

        Code(EntityManager entities) {
            this.entities = entities;
        }

        List<Photo> captioned(String caption) {
            return entities.createQuery("from Photo where caption = :caption", Photo.class)
                    .setParameter("caption", caption)
                    .getResultList();
        }

        List<Photo> byAuthor(long author) {
            calls++;
            assertThat(ShardContext.current()).as("the scope of own code").isEmpty();
            assertThat(ShardContext.currentSet()).as("the scope of own code").isEmpty();
            return entities.createQuery("from Photo where author.id = :author", Photo.class)
                    .setParameter("author", author)
                    .getResultList();
        }
    }

    private Code code() {
        return new Code(app.bean(EntityManager.class));
    }

    interface Search {
        List<Photo> findByAuthorId(Long author);

        List<Photo> findByAuthorIdIn(Collection<Long> authors);

        List<Photo> similarTo(Long author, String caption);

        @Query("select p from Photo p where p.author.id = :author and p.caption = 'nothing of the kind'")
        List<Photo> annotated(Long author);
    }

    record SearchInCode(Code code) implements Search {
        @Override
        public List<Photo> findByAuthorId(Long author) {
            return code.byAuthor(author);
        }

        @Override
        public List<Photo> findByAuthorIdIn(Collection<Long> authors) {
            return authors.stream()
                    .flatMap(author -> code.byAuthor(author).stream())
                    .toList();
        }

        @Override
        public List<Photo> similarTo(Long author, String caption) {
            return code.captioned(caption);
        }

        @Override
        public List<Photo> annotated(Long author) {
            return code.byAuthor(author);
        }
    }

    /** Its methods are those of a fragment, or have an implementation that implements no interface. */
    interface Redeclared extends JpaRepository<Photo, Long> {
        @EntityGraph(attributePaths = "author")
        List<Photo> findByAuthorId(Long author);

        List<Photo> findByAuthorIdIn(Collection<Long> authors);

        List<Photo> similarTo(Long author, String caption);

        @Query("select p from Photo p where p.author.id = :author and p.caption = 'nothing of the kind'")
        List<Photo> annotated(Long author);

        List<Photo> findByAuthor(User author);
    }

    interface WithFragment extends Redeclared, Search {
        @Override
        List<Photo> findByAuthorId(Long author);

        @Override
        List<Photo> findByAuthorIdIn(Collection<Long> authors);

        @Override
        List<Photo> similarTo(Long author, String caption);

        @Override
        List<Photo> annotated(Long author);
    }

    private void runsWithoutScope(MadeRepository<? extends Redeclared> made) {
        List<Photo> photos = threePhotos();
        Redeclared repository = made.repository();
        long near = requireNonNull(photos.get(0).getAuthor()).id();
        User author = requireNonNull(photos.get(2).getAuthor());

        assertThat(repository.findByAuthorId(near)).hasSize(2);
        assertThat(repository.findByAuthorIdIn(List.of(near, author.id()))).hasSize(3);
        assertThat(repository.annotated(near)).hasSize(2);
        assertThat(repository.findByAuthor(author)).hasSize(1);
        assertThatThrownBy(() -> repository.similarTo(near, caption))
                .hasStackTraceContaining(NoShardException.class.getName());
        assertThat(ShardContext.<List<Photo>>call(6, () -> repository.similarTo(near, caption)))
                .hasSize(1);
        assertThat(made.routes())
                .containsEntry("findByAuthorId", RouteKind.OWN_CODE)
                .containsEntry("findByAuthorIdIn", RouteKind.OWN_CODE)
                .containsEntry("similarTo", RouteKind.OWN_CODE)
                .containsEntry("annotated", RouteKind.OWN_CODE)
                .containsEntry("findByAuthor", RouteKind.ONE_SHARD);
    }

    @Test
    void anImplementationWithoutAnInterface() {
        runsWithoutScope(MadeRepository.of(
                app, Redeclared.class, factory -> factory.setCustomImplementation(new SearchInCode(code()))));
    }

    @Test
    void aFragmentWhoseMethodsAreRedeclared() {
        runsWithoutScope(MadeRepository.of(
                app,
                WithFragment.class,
                factory -> factory.setRepositoryFragments(RepositoryFragments.of(
                        RepositoryFragment.implemented(Search.class, new SearchInCode(code()))))));
    }

    interface Replaced extends JpaRepository<Photo, Long> {
        @AllShards
        List<Photo> findByCaption(String caption);

        List<Photo> findByCaptionAndAuthorId(String caption, Long author);

        @Override
        default List<Photo> findAll() {
            return findByCaption("of findAll");
        }

        @Override
        default long count() {
            return findAll().size();
        }

        @Override
        default void deleteAll() {
            deleteById(findAll().get(0).id());
        }

        @Override
        default Page<Photo> findAll(Pageable page) {
            assertThat(ShardContext.current()).isEmpty();
            return Page.empty(page);
        }

        @Override
        default <S extends Photo> List<S> saveAll(Iterable<S> photos) {
            List<S> saved = new ArrayList<>();
            photos.forEach(photo -> saved.add(save(photo)));
            flushes.add(saved.size());
            return saved;
        }

        List<Integer> flushes = new ArrayList<>();

        static List<Photo> findByNothing(String caption) {
            return List.of(new Photo(new User(caption), caption));
        }

        default Set<Integer> shardsOf(@ShardKey Long author, String caption) {
            assertThat(ShardContext.current()).isPresent();
            return new TreeSet<>(Set.of(ShardContext.current().getAsInt()));
        }

        /** Named as a query that compares the first argument with a caption. */
        default int findByCaptionStartingWith(@ShardKey(references = User.class) Long author) {
            return ShardContext.current().getAsInt();
        }

        @AllShards
        default long countByCaption(String caption) {
            return ShardContext.currentSet().isPresent() ? 1 : 0;
        }
    }

    @Test
    void aDefaultMethodReplacesThatOfTheBaseClass() {
        MadeRepository<Replaced> made = MadeRepository.of(app, Replaced.class);
        Replaced photos = made.repository();
        User near = app.userIn(1);
        User far = app.userIn(5);
        photos.saveAll(List.of(new Photo(near, "of findAll"), new Photo(near, caption)));
        app.photoOf(far, "of findAll");

        assertThatThrownBy(() -> photos.saveAll(List.of(new Photo(near, caption), new Photo(far, caption))))
                .as("one call, in the transaction that Spring Data opens for it, instead of one per shard")
                .hasStackTraceContaining(SecondWriteShardException.class.getName());
        assertThat(Replaced.flushes).containsExactly(2);
        assertThat(photos.findAll()).hasSize(2);
        assertThat(photos.count()).isEqualTo(2);
        assertThat(photos.findAll(PageRequest.of(0, 5))).isEmpty();
        photos.deleteAll();
        assertThat(photos.findByCaption("of findAll"))
                .as("deleteAll is own code, too")
                .hasSize(1);
        assertThat(photos.findByCaption(caption)).hasSize(1);
        assertThatThrownBy(photos::deleteAllInBatch)
                .isInstanceOf(NoShardException.class)
                .hasFieldOrPropertyWithValue("ofValue", true);
        assertThat(made.routes())
                .containsEntry("findAll", RouteKind.OWN_CODE)
                .containsEntry("deleteAll", RouteKind.OWN_CODE)
                .containsEntry("findByNothing", RouteKind.OWN_CODE)
                .containsEntry("findByCaptionAndAuthorId", RouteKind.ONE_SHARD);
    }

    @Test
    void anAnnotationOfOwnCodeOpensAScope() {
        Replaced photos = MadeRepository.of(app, Replaced.class).repository();

        assertThat(photos.shardsOf(app.userIn(3).id(), caption)).containsExactly(3);
        assertThat(photos.findByCaptionStartingWith(app.userIn(4).id())).isEqualTo(4);
        assertThat(photos.countByCaption(caption)).isOne();
    }

    interface Totals {
        long total(String caption);

        long totalNear(Long author, String caption);
    }

    record TotalsInCode(PhotosEverywhere photos) implements Totals {
        @Override
        public long total(String caption) {
            return requireNonNull(scoped(caption));
        }

        @Override
        public long totalNear(Long author, String caption) {
            return requireNonNull(scoped(caption));
        }

        /** A call that is routed by the scope of the code that calls it. */
        private @Nullable Long scoped(String caption) {
            return photos.count((photo, query, builder) -> builder.equal(photo.get("caption"), caption));
        }
    }

    interface RedeclaredTotals extends JpaRepository<Photo, Long>, Totals {
        @Override
        @AllShards
        long total(String caption);

        @Override
        long totalNear(@ShardKey(references = User.class) Long author, String caption);
    }

    @Test
    void anAnnotationOfARedeclaredFragmentOpensAScopeForWhatTheFragmentCalls() {
        threePhotos();
        RedeclaredTotals totals = MadeRepository.of(
                        app,
                        RedeclaredTotals.class,
                        factory -> factory.setRepositoryFragments(RepositoryFragments.of(RepositoryFragment.implemented(
                                Totals.class, new TotalsInCode(app.bean(PhotosEverywhere.class))))))
                .repository();

        assertThat(totals.total(caption)).isEqualTo(3);
        assertThat(ShardContext.<Long>call(6, () -> totals.total(caption))).isEqualTo(3);
        assertThat(ShardContext.<Long>call(
                        6, () -> totals.totalNear(app.userIn(2).id(), caption)))
                .isEqualTo(2);
    }

    /** Replaces methods of the base class, as Spring Data documents it. */
    record Finding(Code code, List<Integer> calls) {
        public List<Photo> findAll() {
            return code.captioned("no shard");
        }

        public long count() {
            return 17;
        }

        public <S extends Photo> List<S> saveAll(Iterable<S> photos) {
            List<S> saved = new ArrayList<>();
            photos.forEach(saved::add);
            calls.add(saved.size());
            return saved;
        }
    }

    @Test
    void aFragmentReplacesMethodsOfTheBaseClass() {
        List<Integer> calls = new ArrayList<>();
        Finding finding = new Finding(code(), calls);
        JpaRepository<Photo, Long> photos = MadeRepository.of(
                        app, PhotoRepositoryOfTests.class, factory -> factory.setCustomImplementation(finding))
                .repository();

        assertThat(photos.count()).isEqualTo(17);
        assertThatThrownBy(photos::findAll).isInstanceOf(NoShardException.class);
        assertThat(ShardContext.<List<Photo>>call(3, photos::findAll)).isEmpty();
        photos.saveAll(List.of(new Photo(app.userIn(1), caption), new Photo(app.userIn(6), caption)));
        assertThat(calls).containsExactly(2);
        assertThat(photos.findById(threePhotos().get(2).id())).isPresent();
    }

    interface PhotoRepositoryOfTests extends JpaRepository<Photo, Long> {}

    interface Based extends JpaRepository<Photo, Long> {
        void refresh(Photo photo);

        void delete(String reason);

        @Nullable
        Photo findByIdForUpdate(Long id);

        List<Photo> findByCaption(String caption);

        List<Photo> everywhere(String caption);
    }

    /** For all repositories of an application. */
    static class Base<T, ID> extends SimpleJpaRepository<T, ID> {
        private final EntityManager entities;

        Base(JpaEntityInformation<T, ?> entity, EntityManager entities) {
            super(entity, entities);
            this.entities = entities;
        }

        @Transactional
        public void refresh(T row) {
            entities.refresh(entities.merge(row));
        }

        public void delete(String reason) {
            if (!reason.isEmpty()) {
                throw new UnsupportedOperationException(reason);
            }
        }

        @Transactional
        public T findByIdForUpdate(ID id) {
            return entities.find(getDomainClass(), id, LockModeType.PESSIMISTIC_WRITE);
        }

        public List<T> everywhere(String caption) {
            return entities.createQuery("from Photo where caption = :caption", getDomainClass())
                    .setParameter("caption", caption)
                    .getResultList();
        }

        @Override
        public List<T> findAll() {
            return List.of();
        }
    }

    @Test
    void methodsOfABaseClass() {
        Photo photo = threePhotos().get(2);
        MadeRepository<Based> made =
                MadeRepository.of(app, Based.class, factory -> factory.setRepositoryBaseClass(Base.class));
        Based photos = made.repository();

        photos.refresh(photo);
        assertThatThrownBy(() -> photos.delete("too old"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("too old");
        assertThat(photos.findByIdForUpdate(photo.id())).isNotNull();
        assertThatThrownBy(() -> photos.everywhere(caption)).isInstanceOf(NoShardException.class);
        assertThat(ShardContext.<List<Photo>>call(6, () -> photos.everywhere(caption)))
                .hasSize(1);
        assertThat(photos.findAll()).isEmpty();
        assertThatThrownBy(photos::count)
                .isInstanceOf(NoShardException.class)
                .hasFieldOrPropertyWithValue("ofValue", true);
        assertThat(photos.findById(photo.id())).isPresent();
        photos.delete(photo);
        assertThat(photos.existsById(photo.id())).isFalse();
        assertThat(made.routes())
                .containsEntry("refresh", RouteKind.OWN_CODE)
                .containsEntry("everywhere", RouteKind.OWN_CODE)
                .containsEntry("findByCaption", RouteKind.NEEDS_SCOPE);
    }

    /** Overrides what Spring Data has. */
    static class Overriding<T, ID> extends SimpleJpaRepository<T, ID> {
        Overriding(JpaEntityInformation<T, ?> entity, EntityManager entities) {
            super(entity, entities);
        }

        @Override
        public Page<T> findAll(Pageable page) {
            return super.findAll(page);
        }

        @Override
        @Transactional
        public <S extends T> List<S> saveAll(Iterable<S> rows) {
            return super.saveAll(rows);
        }
    }

    @Test
    void pagesOfAnOverriddenMethodAreOrderedOverSeveralShards() {
        JpaRepository<Photo, Long> photos = MadeRepository.of(
                        app, PhotoRepositoryOfTests.class, factory -> factory.setRepositoryBaseClass(Overriding.class))
                .repository();
        threePhotos();

        Page<Photo> second = ShardContext.call(ShardSet.of(Set.of(2, 6)), () -> photos.findAll(PageRequest.of(1, 1)));

        assertThat(second.getSort().isSorted()).isTrue();
        assertThat(second.getContent()).hasSize(1);
        assertThatThrownBy(() ->
                        photos.saveAll(List.of(new Photo(app.userIn(1), caption), new Photo(app.userIn(6), caption))))
                .hasStackTraceContaining(SecondWriteShardException.class.getName());
    }

    interface Predicates extends JpaRepository<Photo, Long>, QuerydslPredicateExecutor<Photo> {
        @Override
        @EntityGraph(attributePaths = "author")
        Page<Photo> findAll(Predicate predicate, Pageable page);
    }

    @Test
    void aRedeclaredMethodOfQuerydslIsStillRoutedByItsCondition() {
        List<Photo> three = threePhotos();
        Predicates photos = MadeRepository.of(app, Predicates.class).repository();
        User author = requireNonNull(three.get(2).getAuthor());

        assertThat(photos.findAll(QPhoto.photo.author.eq(author), PageRequest.of(0, 5)))
                .hasSize(1);
        assertThat(photos.count(QPhoto.photo.author.eq(author))).isOne();
        assertThatThrownBy(() -> photos.findAll(QPhoto.photo.caption.eq(caption), PageRequest.of(0, 5)))
                .isInstanceOf(NoShardException.class)
                .hasFieldOrPropertyWithValue("ofValue", true)
                .hasMessageContaining("its condition requires neither the id nor the shard key");
        assertThatThrownBy(() -> photos.findAll(QPhoto.photo.id.asc()))
                .isInstanceOf(NoShardException.class)
                .hasFieldOrPropertyWithValue("ofValue", true);
        Page<Photo> second = ShardContext.call(
                ShardSet.of(Set.of(2, 6)),
                () -> photos.findAll(QPhoto.photo.caption.eq(caption), PageRequest.of(1, 2, Sort.by("id"))));
        assertThat(second.getContent()).hasSize(1);
    }

    @Test
    @SuppressWarnings("deprecation") // deleteInBatch
    void springDatasDefaultMethodsCallOthersOfTheRepository() {
        List<Photo> three = threePhotos();
        JpaRepository<Photo, Long> photos =
                MadeRepository.of(app, PhotoRepositoryOfTests.class).repository();

        photos.deleteInBatch(three);

        assertThat(photos.findAllById(three.stream().map(Photo::id).toList())).isEmpty();
    }
}
