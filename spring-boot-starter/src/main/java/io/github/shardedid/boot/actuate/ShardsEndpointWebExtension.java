package io.github.shardedid.boot.actuate;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.provisioning.DatabasesUnreachableException;
import io.github.shardedid.topology.UnknownShardException;
import io.github.shardedid.topology.UnownedShardException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.util.MimeType;

/** The endpoint {@code shards} over HTTP. Responds to failures with a status and a problem of RFC 9457 that contains the reason. */
@EndpointWebExtension(endpoint = ShardsEndpoint.class)
public final class ShardsEndpointWebExtension {
    private static final Logger LOG = LoggerFactory.getLogger(ShardsEndpointWebExtension.class);
    private static final MimeType PROBLEM = new MimeType("application", "problem+json");

    private static final Map<Integer, String> TITLES = Map.of(
            ShardsProblem.BAD_REQUEST, "Bad Request",
            ShardsProblem.NOT_FOUND, "Not Found",
            ShardsProblem.CONFLICT, "Conflict",
            ShardsProblem.INTERNAL_ERROR, "Internal Server Error",
            ShardsProblem.UNAVAILABLE, "Service Unavailable");

    private final ShardsEndpoint endpoint;

    ShardsEndpointWebExtension(ShardsEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * A problem of RFC 9457.
     *
     * @param title the title of the status
     * @param status the status of the response
     * @param detail what is wrong with the request or the cluster, and what to do
     */
    public record Problem(String title, int status, String detail) {}

    /**
     * Shows the cluster.
     *
     * @return its current state
     */
    @ReadOperation
    public WebEndpointResponse<Object> shards() {
        return respond(endpoint::shards);
    }

    /**
     * Shows one shard.
     *
     * @param shard the logical shard
     * @return its current state
     */
    @ReadOperation
    public WebEndpointResponse<Object> shard(@Selector String shard) {
        return respond(() -> endpoint.shard(number(shard)));
    }

    /**
     * Inspects an id or a database.
     *
     * @param inspection {@code id}, {@code sizes} or {@code versions}
     * @param of the id, or the name of the database
     * @return the result
     */
    @ReadOperation
    public WebEndpointResponse<Object> inspect(@Selector String inspection, @Selector String of) {
        return respond(() -> endpoint.inspect(
                oneOf(ShardsEndpoint.Inspection.values(), inspection, ShardsProblem.NOT_FOUND, "The inspection"), of));
    }

    /**
     * Starts an action on a shard, and does not wait for its end.
     *
     * @param shard the logical shard
     * @param action {@code move}, {@code resume} or {@code abort}
     * @param to the target database of a move; otherwise ignored
     * @return the requested work
     */
    @WriteOperation
    public WebEndpointResponse<Object> act(@Selector String shard, @Nullable String action, @Nullable String to) {
        return respond(() -> endpoint.act(
                number(shard),
                oneOf(ShardsEndpoint.Action.values(), action, ShardsProblem.BAD_REQUEST, "The \"action\""),
                to));
    }

    /**
     * Begins or stops a plan, and does not wait for its end.
     *
     * @param action {@code drain}, {@code rebalance} or {@code stop}
     * @param of the name of a database, or the id of a plan; null for balance
     * @return the plan as recorded
     */
    @WriteOperation
    public WebEndpointResponse<Object> plan(@Nullable String action, @Nullable String of) {
        return respond(() -> endpoint.plan(
                oneOf(ShardsEndpoint.PlanAction.values(), action, ShardsProblem.BAD_REQUEST, "The \"action\""), of));
    }

    private static int number(String shard) {
        try {
            return Integer.parseInt(shard);
        } catch (NumberFormatException e) {
            throw new ShardsProblem(
                    ShardsProblem.BAD_REQUEST, "\"" + shard + "\" is no shard: shards are numbered from 0.", e);
        }
    }

    private static <T extends Enum<T>> T oneOf(T[] all, @Nullable String name, int status, String what) {
        Function<T, String> text = each -> each.name().toLowerCase(Locale.ROOT);
        return Arrays.stream(all)
                .filter(each -> each.name().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new ShardsProblem(
                        status,
                        what + " is one of " + Arrays.stream(all).map(text).toList()
                                + (name == null ? "." : ", not " + name + "."),
                        null));
    }

    private static WebEndpointResponse<Object> respond(Supplier<Object> work) {
        try {
            return new WebEndpointResponse<>(work.get());
        } catch (ShardsProblem e) {
            return problem(e.status(), e);
        } catch (ShardedIdException e) {
            return problem(status(e), e);
        }
    }

    private static int status(ShardedIdException failure) {
        if (failure instanceof MalformedIdException) {
            return ShardsProblem.BAD_REQUEST;
        }
        if (failure instanceof UnknownShardException) {
            return ShardsProblem.NOT_FOUND;
        }
        if (failure instanceof MoveRefusedException) {
            return ShardsProblem.CONFLICT;
        }
        return failure instanceof DatabasesUnreachableException || failure instanceof UnownedShardException
                ? ShardsProblem.UNAVAILABLE
                : ShardsProblem.INTERNAL_ERROR;
    }

    private static WebEndpointResponse<Object> problem(int status, RuntimeException failure) {
        if (status >= ShardsProblem.INTERNAL_ERROR) {
            LOG.warn("The endpoint shards could not process a request", failure);
        }
        Problem problem = new Problem(TITLES.getOrDefault(status, ""), status, String.valueOf(failure.getMessage()));
        return new WebEndpointResponse<>(problem, status, PROBLEM);
    }
}
