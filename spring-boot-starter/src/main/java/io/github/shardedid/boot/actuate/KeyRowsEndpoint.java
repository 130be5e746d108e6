package io.github.shardedid.boot.actuate;

import io.github.shardedid.hibernate.KeyRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.core.io.InputStreamResource;
import org.springframework.util.MimeType;

/**
 * The actuator endpoint {@code keyrows}: counts, exports and erases the rows of one key. Disabled until {@code management.endpoint.keyrows.access} is
 * {@code read-only} or, to erase, {@code unrestricted}: its responses are personal data.
 */
@WebEndpoint(id = "keyrows", defaultAccess = Access.NONE)
record KeyRowsEndpoint(Supplier<KeyRows> rows) {
    private static final MimeType LINES = new MimeType("application", "jsonl");

    /** Counts. */
    @ReadOperation
    public WebEndpointResponse<Object> count(@Selector String entity, @Selector String id) {
        return ShardsEndpoint.respond(() -> rows.get().count(rows.get().entity(entity), id));
    }

    /** Exports as lines of JSON. They are in a temporary file first, so that a failure is no half of a response. */
    @ReadOperation
    public WebEndpointResponse<Object> export(@Selector String entity, @Selector String id, @Selector String export) {
        WebEndpointResponse<Object> response = ShardsEndpoint.respond(() -> {
            if (!export.equals("export")) {
                throw new IllegalArgumentException(
                        "/keyrows/" + entity + "/" + id + "/" + export + " is not known. Use export.");
            }
            return exported(rows.get().entity(entity), id);
        });
        return response.getStatus() == WebEndpointResponse.STATUS_OK
                ? new WebEndpointResponse<>(response.getBody(), LINES)
                : response;
    }

    private InputStreamResource exported(Class<?> entity, String id) {
        try {
            Path file = Files.createTempFile("sharded-id-rows-", ".jsonl");
            try (Writer out = Files.newBufferedWriter(file)) {
                rows.get().export(entity, id, out);
            } catch (IOException | RuntimeException e) {
                Files.delete(file);
                throw e;
            }
            return new InputStreamResource(Files.newInputStream(file, StandardOpenOption.DELETE_ON_CLOSE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Erases, and waits for the end. */
    @DeleteOperation
    public WebEndpointResponse<Object> erase(@Selector String entity, @Selector String id) {
        return ShardsEndpoint.respond(() -> rows.get().erase(rows.get().entity(entity), id));
    }
}
