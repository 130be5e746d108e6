package io.github.shardedid.move.internal.replication;

import io.github.shardedid.move.DeferredMoveException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is in the way of a replication: what has to be changed, and what passes. */
final class ReplicationObstacles {
    private final List<String> lasting = new ArrayList<>();
    private final List<String> passing = new ArrayList<>();

    void add(String obstacle) {
        lasting.add(obstacle);
    }

    void add(Optional<String> obstacle) {
        obstacle.ifPresent(lasting::add);
    }

    void addPassing(String obstacle) {
        passing.add(obstacle);
    }

    boolean isEmpty() {
        return lasting.isEmpty() && passing.isEmpty();
    }

    /**
     * All of them, if something has to be changed; else none.
     *
     * @throws DeferredMoveException if nothing has to be changed, but something has to pass
     */
    List<String> lines() {
        List<String> all = new ArrayList<>(lasting);
        all.addAll(passing);
        if (lasting.isEmpty() && !passing.isEmpty()) {
            throw new DeferredMoveException(String.join(" ", all));
        }
        return List.copyOf(all);
    }
}
