package io.github.shardedid.extensions;

import io.github.shardedid.topology.Cluster;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import org.hibernate.search.mapper.orm.Search;
import org.hibernate.search.mapper.orm.scope.SearchScope;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The index of the books of all shards. */
@Service
class BookSearch {
    private final EntityManagerFactory factory;
    private final EntityManager entities;
    private final Cluster cluster;

    BookSearch(EntityManagerFactory factory, EntityManager entities, Cluster cluster) {
        this.factory = factory;
        this.entities = entities;
        this.cluster = cluster;
    }

    @Transactional(readOnly = true)
    public List<Book> titled(String words) {
        return Search.session(entities)
                .search(Book.class)
                .where(book -> book.match().field("title").matching(words))
                .fetchAllHits();
    }

    void rebuild() throws InterruptedException {
        SearchScope<Book> books = Search.mapping(factory).scope(Book.class);
        books.workspace().purge();
        for (int shard = 0; shard < cluster.shardCount(); shard++) {
            books.massIndexer()
                    .purgeAllOnStart(false)
                    .environment(new IndexedShard(shard))
                    .startAndWait();
        }
    }
}
