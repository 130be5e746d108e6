package io.github.shardedid.boot.modulith;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The shard of the current thread's transaction. Safe for use by several threads. */
record TransactionShard(JdbcOperations jdbc, ObjectProvider<EntityManagerFactory> entityManagers) {
    /**
     * The shard that the transaction has written; if it has written nothing, and nothing is to be flushed, that of the scope.
     *
     * @param what names what needs the shard, for the message
     * @throws NoShardException if there is none
     */
    int require(Supplier<String> what) {
        Target.Single written = written();
        if (written instanceof Target.Shard shard) {
            return shard.number();
        }
        if (written != null) {
            throw new NoShardException(
                    "This transaction has written to the global database, which stores no event publications: "
                            + what.get() + ". Publish the event in a transaction that writes to a shard.");
        }
        return ShardContext.current()
                .orElseThrow(() -> new NoShardException("No shard is known for " + what.get()
                        + ": the transaction has written to none, and no scope of a shard is open. Publish the event after the"
                        + " entity has been saved, or in ShardContext.run(shard, …)."));
    }

    private Target.@Nullable Single written() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            return null;
        }
        Target.Single written = declared();
        if (written == null) {
            joined().forEach(EntityManager::flush);
            written = declared();
        }
        return written;
    }

    private Target.@Nullable Single declared() {
        ConnectionCallback<Optional<Target.Single>> read =
                connection -> Optional.ofNullable(RoutingDataSource.writtenBy(connection));
        return jdbc.execute(read).orElse(null);
    }

    private Stream<EntityManager> joined() {
        return entityManagers.stream()
                .flatMap(factory -> Stream.ofNullable(EntityManagerFactoryUtils.getTransactionalEntityManager(factory)))
                .filter(EntityManager::isJoinedToTransaction);
    }
}
