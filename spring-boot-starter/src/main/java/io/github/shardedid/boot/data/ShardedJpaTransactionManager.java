package io.github.shardedid.boot.data;

import io.github.shardedid.ShardedIdException;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * A {@link JpaTransactionManager} that throws a {@link ShardedIdException} from the flush at commit as it is, instead of wrapped in
 * a {@code RollbackException} and a {@code TransactionSystemException}.
 */
public class ShardedJpaTransactionManager extends JpaTransactionManager {
    private static final long serialVersionUID = 1L;

    /** Creates a transaction manager. Its entity manager factory is set, or found in the bean factory. */
    public ShardedJpaTransactionManager() {}

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        try {
            super.doCommit(status);
        } catch (RuntimeException e) {
            ShardedIdException refused = Stream.iterate((Throwable) e, Objects::nonNull, Throwable::getCause)
                    .filter(ShardedIdException.class::isInstance)
                    .map(ShardedIdException.class::cast)
                    .findFirst()
                    .orElse(null);
            if (refused == null || refused == e) {
                throw e;
            }
            refused.addSuppressed(e);
            throw refused;
        }
    }
}
