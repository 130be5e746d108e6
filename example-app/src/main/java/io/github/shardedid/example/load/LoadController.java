package io.github.shardedid.example.load;

import io.github.shardedid.example.problem.NotFoundException;
import io.github.shardedid.topology.Cluster;
import jakarta.annotation.PreDestroy;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.http.HttpClient;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Starts and stops the one load that there can be. */
@RestController
@RequestMapping("/operations/load")
class LoadController {
    private static final int CLIENTS = 8;
    private static final long SECONDS_AT_MOST = 300;

    private final HttpClient http = HttpClient.newHttpClient();
    private final ReentrantLock lock = new ReentrantLock();
    private final Cluster cluster;
    private final Environment environment;
    private @Nullable LoadRun run;

    LoadController(Cluster cluster, Environment environment) {
        this.cluster = cluster;
        this.environment = environment;
    }

    /** Takes the place of one that runs. */
    @PutMapping
    State start(@Valid @RequestBody NewLoad load) {
        lock.lock();
        try {
            stop();
            String baseUrl = "http://localhost:" + environment.getRequiredProperty("local.server.port");
            int shards = cluster.shardCount();
            run = new LoadRun(
                    new LoadClient(http, baseUrl, shards), shards, CLIENTS, load.perSecond(), SECONDS_AT_MOST);
            return state();
        } finally {
            lock.unlock();
        }
    }

    @DeleteMapping
    State end() {
        lock.lock();
        try {
            stop();
            return state();
        } finally {
            lock.unlock();
        }
    }

    @GetMapping
    State state() {
        lock.lock();
        try {
            LoadRun now = run;
            return now == null ? new State(false, null, null) : new State(now.running(), now.seen(), now.watched());
        } finally {
            lock.unlock();
        }
    }

    /** Has two more clients write to one shard, whose figures are told apart. */
    @PutMapping("/watch")
    State watch(@RequestBody Watched watched) {
        lock.lock();
        try {
            if (run == null || !run.running()) {
                throw new NotFoundException("There is no load. Start it, and watch a shard then.");
            }
            cluster.map().get().databaseOf(watched.shard());
            run.watch(watched.shard());
            return state();
        } finally {
            lock.unlock();
        }
    }

    /** Ends it, and answers for the last time what was seen. */
    @DeleteMapping("/watch")
    State unwatch() {
        lock.lock();
        try {
            State last = state();
            if (run != null) {
                run.watch(null);
            }
            return last;
        } finally {
            lock.unlock();
        }
    }

    @PreDestroy
    void stop() {
        if (run != null) {
            run.stop();
        }
    }

    /** A load that is to be: how many writes are due in a second, of all clients together. */
    record NewLoad(@Min(1) @Max(5000) int perSecond) {}

    /** Which shard to watch. */
    record Watched(int shard) {}

    /** How it goes. */
    record State(boolean running, LoadFigures.@Nullable Seen seen, Watch.@Nullable Seen watched) {}
}
