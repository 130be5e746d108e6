package io.github.shardedid.hibernate.internal.checks;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.cfg.QuerySettings;
import org.hibernate.query.sqm.sql.SqmTranslatorFactory;

/** Refuses a translator of the application, which would replace the one that checks and routes queries. */
final class Translators {
    private Translators() {}

    /**
     * Checks the translator of a session factory with sharded entities.
     *
     * @param expected the translator that the settings have without the application
     */
    static void refuse(SessionFactoryOptions options, Class<? extends SqmTranslatorFactory> expected) {
        SqmTranslatorFactory given = options.getCustomSqmTranslatorFactory();
        if (!expected.isInstance(given)) {
            throw new ShardedIdMappingException(QuerySettings.SEMANTIC_QUERY_TRANSLATOR + " is "
                    + (given == null ? "empty" : given.getClass().getName())
                    + ", so queries by id or shard key would be executed in the scope that is open, not in the shard"
                    + " of the value, and nothing would check what statements join and change. Remove the setting, or"
                    + " let the class extend GuardedTranslatorFactory and call its methods.");
        }
    }
}
