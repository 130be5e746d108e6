package io.github.shardedid.example.load;

import io.github.shardedid.topology.Cluster;
import jakarta.annotation.PreDestroy;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.net.http.HttpClient;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Starts and stops the load generator. */
@RestController
@RequestMapping("/operations/load")
class LoadController {
    private static final int CLIENTS = 8;
    private static final long MAX_SECONDS = 300;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Cluster cluster;
    private final Environment environment;
    private @Nullable LoadRun run;

    LoadController(Cluster cluster, Environment environment) {
        this.cluster = cluster;
        this.environment = environment;
    }

    /** Replaces the current load. */
    @PutMapping
    synchronized State start(@Valid @RequestBody NewLoad load) {
        stop();
        String baseUrl = "http://localhost:" + environment.getRequiredProperty("local.server.port");
        int shards = cluster.keyShards(); // the hash of a name reaches no others
        run = new LoadRun(new LoadClient(http, baseUrl, shards), shards, CLIENTS, load.perSecond(), MAX_SECONDS);
        return state();
    }

    @DeleteMapping
    synchronized State end() {
        stop();
        return state();
    }

    @GetMapping
    synchronized State state() {
        LoadRun now = run;
        return now == null ? new State(false, null, null) : new State(now.running(), now.seen(), now.watched());
    }

    /** Starts two more clients that write to one shard, with separate figures. */
    @PutMapping("/watch")
    synchronized State watch(@RequestBody Watched watched) {
        if (run == null || !run.running()) {
            throw new ResponseStatusException(
                    HttpStatus.NOT_FOUND, "The load is not running. Start it before you watch a shard.");
        }
        cluster.map().get().databaseOf(watched.shard());
        run.watch(watched.shard());
        return state();
    }

    /** Stops the clients of {@link #watch}, and returns their final figures. */
    @DeleteMapping("/watch")
    synchronized State unwatch() {
        State last = state();
        if (run != null) {
            run.watch(null);
        }
        return last;
    }

    @PreDestroy
    void stop() {
        if (run != null) {
            run.stop();
        }
    }

    /** The request to start a load, with the number of writes per second of all clients together. */
    record NewLoad(@Min(1) @Max(5000) int perSecond) {}

    /** The request to watch a shard. */
    record Watched(int shard) {}

    /** The state and figures of the load. */
    record State(boolean running, LoadFigures.@Nullable Seen seen, Watch.@Nullable Seen watched) {}
}
