package io.github.shardedid.extensions;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Its transactions are repeated. */
@Service
class BookShop {
    private final AtomicInteger attempts = new AtomicInteger();
    private final BookRepository books;

    BookShop(BookRepository books) {
        this.books = books;
    }

    @Retryable(includes = ConcurrencyFailureException.class, maxRetries = 2, delay = 0)
    @Transactional
    public void rename(long id, String title, Runnable firstAttempt) {
        Book book = books.findById(id).orElseThrow();
        if (attempts.incrementAndGet() == 1) {
            firstAttempt.run();
        }
        book.title = title;
    }

    public int attempts() {
        return attempts.get();
    }
}
