package io.github.shardedid.boot.modulith;

import io.github.shardedid.routing.MissingShards;
import io.github.shardedid.routing.PrimaryReads;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardMap;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInterceptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.modulith.events.EventPublication.Status;
import org.springframework.modulith.events.core.EventPublicationRepository;
import org.springframework.modulith.events.core.PublicationTargetIdentifier;
import org.springframework.modulith.events.core.TargetEventPublication;

/**
 * Stores each publication in the shard of the transaction that publishes it, finds it by its id, and reads incomplete ones from all
 * shards. Their statements are those of another repository, in the scope of the shard or shards. Safe for use by several threads.
 */
record ShardedEventPublications(EventPublicationRepository repository, Cluster cluster, TransactionShard transaction)
        implements EventPublicationRepository {
    private static final Logger LOG = LoggerFactory.getLogger(ShardedEventPublications.class);
    private static final int FETCH_SIZE = 500;

    @Override
    public TargetEventPublication create(TargetEventPublication publication) {
        int shard = transaction.require(() -> "the publication of the event "
                + publication.getEvent().getClass().getName() + " to "
                + publication.getTargetIdentifier().getValue());
        return RoutedScope.call(Target.shard(shard), () -> repository.create(placed(publication, shard)));
    }

    /** The publication with an id that names its shard. */
    private static TargetEventPublication placed(TargetEventPublication publication, int shard) {
        UUID id = PublicationIds.of(publication.getIdentifier(), shard);
        ProxyFactory proxy = new ProxyFactory(TargetEventPublication.class, (MethodInterceptor)
                call -> call.getMethod().getName().equals("getIdentifier") ? id : call.proceed());
        proxy.setTarget(publication);
        return (TargetEventPublication) proxy.getProxy(TargetEventPublication.class.getClassLoader());
    }

    @Override
    public void markProcessing(UUID id) {
        ShardContext.run(shardOf(id), () -> repository.markProcessing(id));
    }

    @Override
    public void markCompleted(UUID id, Instant completionDate) {
        ShardContext.run(shardOf(id), () -> repository.markCompleted(id, completionDate));
    }

    /** Completes the oldest one that is incomplete. */
    @Override
    public void markCompleted(Object event, PublicationTargetIdentifier listener, Instant completionDate) {
        findIncompletePublicationsByEventAndTargetIdentifier(event, listener)
                .ifPresent(found -> markCompleted(found.getIdentifier(), completionDate));
    }

    @Override
    public void markFailed(UUID id) {
        ShardContext.run(shardOf(id), () -> repository.markFailed(id));
    }

    @Override
    public boolean markResubmitted(UUID id, Instant resubmissionDate) {
        return ShardContext.call(shardOf(id), () -> repository.markResubmitted(id, resubmissionDate));
    }

    @Override
    public List<TargetEventPublication> findIncompletePublications() {
        return inReachableShards(repository::findIncompletePublications);
    }

    @Override
    public List<TargetEventPublication> findIncompletePublicationsPublishedBefore(Instant instant) {
        return inReachableShards(() -> repository.findIncompletePublicationsPublishedBefore(instant));
    }

    @Override
    public Optional<TargetEventPublication> findIncompletePublicationsByEventAndTargetIdentifier(
            Object event, PublicationTargetIdentifier listener) {
        return in(
                ShardSet.all(), () -> repository.findIncompletePublicationsByEventAndTargetIdentifier(event, listener));
    }

    @Override
    public List<TargetEventPublication> findCompletedPublications() {
        return inReachableShards(repository::findCompletedPublications);
    }

    @Override
    public List<TargetEventPublication> findFailedPublications(FailedCriteria criteria) {
        return inReachableShards(() -> repository.findFailedPublications(criteria));
    }

    @Override
    public List<TargetEventPublication> findByStatus(Status status) {
        return inReachableShards(() -> repository.findByStatus(status));
    }

    @Override
    public int countByStatus(Status status) {
        return inReachableShards(() -> repository.countByStatus(status));
    }

    @Override
    public void deletePublications(List<UUID> ids) {
        Map<Integer, List<UUID>> byShard = ids.stream().collect(Collectors.groupingBy(this::shardOf));
        byShard.forEach((shard, some) -> ShardContext.run(shard, () -> repository.deletePublications(some)));
    }

    @Override
    public void deleteCompletedPublications() {
        inEachShard(repository::deleteCompletedPublications);
    }

    @Override
    public void deleteCompletedPublicationsBefore(Instant instant) {
        inEachShard(() -> repository.deleteCompletedPublicationsBefore(instant));
    }

    private int shardOf(UUID id) {
        return PublicationIds.shardOf(id, cluster);
    }

    /** Without the shards of databases that are down, whose publications are found when they can be reached again. */
    private <T> T inReachableShards(Supplier<T> query) {
        MissingShards missing = new MissingShards();
        T found = in(ShardSet.all().withoutUnreachable(missing), query);
        if (!missing.isEmpty()) {
            LOG.warn("Event publications of unreachable shards were not read: {}", missing);
        }
        return found;
    }

    /** From primaries: a replica may show a publication as incomplete that is complete. */
    private static <T> T in(ShardSet shards, Supplier<T> query) {
        return PrimaryReads.call(() -> ShardContext.call(shards.perShard().withFetchSize(FETCH_SIZE), query));
    }

    /**
     * A transaction per shard. After a failure, the other shards of that database are skipped; those of others are not, also if no database
     * is known for a shard.
     */
    private void inEachShard(Runnable work) {
        ShardMap map = cluster.map().get();
        Map<String, RuntimeException> failures = new HashMap<>();
        for (int shard = 0; shard < map.shardCount(); shard++) {
            String database = "";
            try {
                database = map.databaseOf(shard);
                if (!failures.containsKey(database)) {
                    ShardContext.run(shard, work);
                }
            } catch (RuntimeException e) {
                failures.putIfAbsent(database, e);
            }
        }
        RuntimeException first = failures.values().stream().findFirst().orElse(null);
        if (first != null) {
            failures.values().stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }
}
