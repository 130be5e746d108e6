package io.github.shardedid.boot.actuate;

import io.github.shardedid.hibernate.UniqueAcrossShards;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;

/**
 * The actuator endpoint {@code claims}: builds and checks the claims of unique values in a background thread. Disabled until {@code
 * management.endpoint.claims.access} is {@code read-only} or, to begin something, {@code unrestricted}. Shows no values.
 */
@WebEndpoint(id = "claims", defaultAccess = Access.NONE)
final class ClaimsEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimsEndpoint.class);

    private final ObjectProvider<UniqueAcrossShards.Claims> claims;
    private final AtomicReference<Work> latest = new AtomicReference<>(new Work("none", false, "", List.of()));

    ClaimsEndpoint(ObjectProvider<UniqueAcrossShards.Claims> claims) {
        this.claims = claims;
    }

    /**
     * What was begun last in this process.
     *
     * @param action build, check or remove; none before the first
     * @param running whether it has not ended
     * @param progress its latest line, or why it failed
     * @param problems rows without a claim, and rows with one value, with their ids
     */
    record Work(String action, boolean running, String progress, List<String> problems) {}

    /**
     * The state of the claims.
     *
     * @param unbuilt the keys of which some rows may have no claim
     * @param work what was begun last in this process
     */
    record State(Set<String> unbuilt, Work work) {}

    private Work latest() {
        return Objects.requireNonNull(latest.get());
    }

    /** Shows which claims are not complete. */
    @ReadOperation
    public State state() {
        return new State(claims.getObject().unbuilt(), latest());
    }

    /** Begins to {@code build}, {@code check} or {@code remove} orphans, and does not wait for the end. */
    @WriteOperation
    public WebEndpointResponse<Object> act(@Selector String action) {
        return ShardsEndpoint.respond(() -> {
            if (!List.of("build", "check", "remove").contains(action)) {
                throw ShardsEndpoint.unknown("action", "build, check, remove", action);
            }
            Work begun = new Work(action, true, "", List.of());
            Work before = latest.getAndUpdate(work -> work.running() ? work : begun);
            if (!before.running()) {
                Thread thread = new Thread(() -> run(action), "sharded-id-claims");
                thread.setDaemon(true);
                thread.start();
            }
            return latest();
        });
    }

    private void run(String action) {
        Consumer<String> progress = line -> latest.set(new Work(action, true, line, List.of()));
        try {
            UniqueAcrossShards.Claims all = claims.getObject();
            List<String> problems =
                    action.equals("build") ? all.build(progress) : all.check(action.equals("remove"), progress);
            latest.set(new Work(action, false, latest().progress(), problems));
        } catch (RuntimeException e) {
            LOG.warn("The claims could not be processed", e);
            latest.set(new Work(action, false, String.valueOf(e.getMessage()), List.of()));
        }
    }
}
