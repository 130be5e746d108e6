package io.github.shardedid.example.operations;

import io.github.shardedid.example.shards.DatabaseAddresses;
import io.github.shardedid.example.user.User;
import io.github.shardedid.example.user.UserRepository;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.ShardKeys;
import io.github.shardedid.topology.ShardMap;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Checks whether rows of each database can be read and written, with the repositories of the application. */
@RestController
@RequestMapping("/operations/works")
class WorksController {
    private final Cluster cluster;
    private final DatabaseAddresses addresses;
    private final UserRepository users;
    private final TransactionOperations transactions;

    WorksController(
            Cluster cluster, DatabaseAddresses addresses, UserRepository users, TransactionOperations transactions) {
        this.cluster = cluster;
        this.addresses = addresses;
        this.users = users;
        this.transactions = transactions;
    }

    @GetMapping
    List<Works> works() {
        ShardMap map = cluster.map().get();
        TreeSet<String> names = new TreeSet<>(addresses.byName().keySet());
        return names.stream().map(name -> tried(name, map)).toList();
    }

    /** Reads a user in a shard of the database, and writes one in a transaction that is rolled back. */
    private Works tried(String database, ShardMap map) {
        int[] shards = map.shardsOf(database);
        if (shards.length == 0) {
            return new Works(database, null, null, null);
        }
        String name = Stream.iterate(0, number -> number + 1)
                .map(number -> "probe " + number)
                .filter(one -> Arrays.binarySearch(shards, ShardKeys.shardOf(one, map.keyShards())) >= 0)
                .findFirst()
                .orElseThrow();
        String reads = failure(() -> users.findByName(name));
        String writes = failure(() -> transactions.executeWithoutResult(status -> {
            status.setRollbackOnly();
            users.saveAndFlush(new User(name));
        }));
        return new Works(database, reads == null, writes == null, reads == null ? writes : reads);
    }

    private static @Nullable String failure(Runnable work) {
        try {
            work.run();
            return null;
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /**
     * The result of the check for a database.
     *
     * @param reads whether rows can be read; null if the database has no known shards
     * @param writes whether rows can be written; null if the database has no known shards
     * @param failure the reason of a failure, or null
     */
    record Works(String database, @Nullable Boolean reads, @Nullable Boolean writes, @Nullable String failure) {}
}
