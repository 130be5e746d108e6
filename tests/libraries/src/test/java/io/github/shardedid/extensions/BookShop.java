package io.github.shardedid.extensions;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Its transactions are repeated. */
@Service
class BookShop {
    private final BookRepository books;

    BookShop(BookRepository books) {
        this.books = books;
    }

    @Retryable(includes = ConcurrencyFailureException.class, maxRetries = 2, delay = 0)
    @Transactional
    public void rename(long id, String title, Runnable meanwhile) {
        Book book = books.findById(id).orElseThrow();
        meanwhile.run();
        book.title = title;
    }

    /** With the lock of another row, so that the transaction has begun on its database. */
    @Retryable(includes = ConcurrencyFailureException.class, maxRetries = 2, delay = 0)
    @Transactional
    public void renameBeside(long locked, long id, String title, Runnable meanwhile) {
        books.findLockedById(locked).ifPresent(row -> meanwhile.run());
        books.findById(id).orElseThrow().title = title;
    }
}
