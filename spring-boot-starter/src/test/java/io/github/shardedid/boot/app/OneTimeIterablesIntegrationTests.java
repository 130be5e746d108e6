package io.github.shardedid.boot.app;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Lists that can be read only once, and transactions of other databases, around methods for several rows. */
@SuppressWarnings("StreamToIterable") // what is tested
@Tag("quick")
class OneTimeIterablesIntegrationTests {
    private final RunningApp app = RunningApp.shared();
    private final PhotoRepository photos = app.bean(PhotoRepository.class);

    /** Like a reader of a file. */
    private static <T> Iterable<T> once(List<T> values) {
        Iterator<T> iterator = values.iterator();
        return () -> iterator;
    }

    private List<Photo> unsaved(int... shards) {
        return Arrays.stream(shards)
                .mapToObj(shard -> new Photo(app.userIn(shard), "once"))
                .toList();
    }

    private List<Photo> saved(int... shards) {
        return photos.saveAll(unsaved(shards));
    }

    private boolean exist(List<Photo> rows) {
        return rows.stream().allMatch(row -> photos.existsById(row.id()));
    }

    private boolean isGone(List<Photo> rows) {
        return rows.stream().noneMatch(row -> photos.existsById(row.id()));
    }

    @Test
    void rowsAreSaved() {
        assertThat(exist(photos.saveAll(once(unsaved(3, 3))))).isTrue();
        assertThat(photos.saveAll(once(unsaved(3, 3)))).hasSize(2);
        assertThat(photos.saveAll(once(unsaved(3, 6)))).hasSize(2);
        assertThat(photos.saveAllAndFlush(once(unsaved(6)))).hasSize(1);
        Stream<Photo> stream = unsaved(5, 5).stream();
        assertThat(photos.saveAll(stream::iterator)).hasSize(2);
        List<Photo> within = unsaved(4, 4);
        assertThat(app.<List<Photo>>inTransaction(() -> photos.saveAll(once(within))))
                .hasSize(2);
    }

    @Test
    @SuppressWarnings("NullAway") // on purpose
    void anInvalidRowIsReportedByHibernate() {
        Photo invalid = new Photo(app.userIn(1), "once");
        invalid.setAuthor(null);
        List<Photo> rows =
                Stream.concat(unsaved(1).stream(), Stream.of(invalid)).toList();

        assertThatThrownBy(() -> photos.saveAll(once(rows)))
                .isNotInstanceOf(IllegalStateException.class)
                .hasMessageContaining("author");
    }

    @Test
    void rowsAreDeleted() {
        List<Photo> all = saved(2, 2);
        photos.deleteAll(once(all));
        assertThat(isGone(all)).isTrue();

        List<Photo> byId = saved(2, 2);
        photos.deleteAllById(once(byId.stream().map(Photo::id).toList()));
        assertThat(isGone(byId)).isTrue();

        List<Photo> batch = saved(2, 2);
        photos.deleteAllInBatch(once(batch));
        assertThat(isGone(batch)).isTrue();

        List<Photo> batchById = saved(2, 2);
        photos.deleteAllByIdInBatch(once(batchById.stream().map(Photo::id).toList()));
        assertThat(isGone(batchById)).isTrue();

        List<Photo> within = saved(2, 2);
        app.inTransaction(() -> photos.deleteAll(once(within)));
        assertThat(isGone(within)).isTrue();
    }

    @Test
    void rowsAreFound() {
        List<Photo> rows = saved(7, 7);
        List<Long> ids = rows.stream().map(Photo::id).toList();

        assertThat(photos.findAllById(once(ids))).hasSize(2);
        assertThat(app.<List<Photo>>inTransaction(() -> photos.findAllById(once(ids))))
                .hasSize(2);
    }

    @Test
    void aTransactionOfAnotherDatabaseCountsAsOneOfTheShards() {
        var other = new TransactionTemplate(
                new JdbcTransactionManager(app.context.getBean("globalDataSource", DataSource.class)));
        List<Photo> rows = unsaved(1, 6);
        List<Photo> saved = photos.saveAll(unsaved(1, 6));

        assertThatThrownBy(() -> other.executeWithoutResult(status -> photos.saveAll(rows)))
                .hasStackTraceContaining("SecondWriteShardException");
        assertThat(rows).allMatch(row -> photos.findByAuthor(requireNonNull(row.getAuthor()))
                .isEmpty());
        assertThatThrownBy(() -> other.executeWithoutResult(status -> photos.deleteAll(saved)))
                .hasStackTraceContaining("SecondWriteShardException");
        other.executeWithoutResult(status -> assertThat(
                        photos.findAllById(saved.stream().map(Photo::id).toList()))
                .hasSize(2));
    }

    @Test
    void aTransactionThatBeganWithinAnotherOneIsThatOfTheShards() {
        var other = new TransactionTemplate(
                new JdbcTransactionManager(app.context.getBean("globalDataSource", DataSource.class)));
        List<Photo> rows = unsaved(1, 6);

        assertThatThrownBy(() ->
                        other.executeWithoutResult(status -> app.inTransaction(() -> photos.saveAllAndFlush(rows))))
                .hasStackTraceContaining("SecondWriteShardException");
        assertThat(rows).allMatch(row -> photos.findByAuthor(requireNonNull(row.getAuthor()))
                .isEmpty());
    }
}
