package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.UniqueAcrossShards;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/** The commands {@code --sharded-id.build-claims} and {@code --sharded-id.check-claims}. They log their progress, and fail if they find problems. */
final class ClaimsCommand {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimsCommand.class);

    private ClaimsCommand() {}

    /** Rows have no claims of their values, or have one value. */
    private static final class UnclaimedException extends ShardedIdException {
        private static final long serialVersionUID = 1L;

        UnclaimedException(String message) {
            super(message);
        }
    }

    static void run(String property, String value, ObjectProvider<UniqueAcrossShards.Claims> provider) {
        UniqueAcrossShards.Claims claims = provider.getIfAvailable();
        boolean builds = property.endsWith("build-claims");
        if (claims == null || !List.of("", builds ? "" : "remove").contains(value)) {
            throw new ShardedIdPropertiesException(property + " cannot be \"" + value
                    + "\" here. It needs Hibernate, and has no" + " value, but for --sharded-id.check-claims=remove.");
        }
        List<String> problems = builds ? claims.build(LOG::info) : claims.check(value.equals("remove"), LOG::info);
        if (!problems.isEmpty()) {
            throw new UnclaimedException(String.join(System.lineSeparator(), problems) + System.lineSeparator()
                    + "Change or delete one row of each two with one value, in the application, and run --sharded-id.build-claims"
                    + " again. It claims the values of rows without a claim.");
        }
    }
}
