package io.github.shardedid.boot.test;

import io.github.shardedid.boot.autoconfigure.ShardedIdProperties;
import io.github.shardedid.topology.GlobalDatabase;
import java.util.Optional;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.StringUtils;

/** The database and schema of the application's global entities. */
record GlobalSchema(BeanFactory beans) {
    Optional<GlobalDatabase> find() {
        ShardedIdProperties.Global global =
                beans.getBean(ShardedIdProperties.class).global();
        String database = global.database();
        return database != null && StringUtils.hasText(database)
                ? Optional.of(new GlobalDatabase(database, global.schema()))
                : Optional.empty();
    }
}
