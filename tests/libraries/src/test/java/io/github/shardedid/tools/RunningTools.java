package io.github.shardedid.tools;

import io.github.shardedid.databases.TwoDatabases;
import io.github.shardedid.routing.ShardContext;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The application that these tests share. Shards 0 to 3 are on pg1, beside the global database, and 4 to 7 on pg2. */
final class RunningTools {
    static final TwoDatabases DATABASES = TwoDatabases.create();

    private static final ConfigurableApplicationContext CONTEXT = DATABASES.start(
            ToolsApp.class,
            "classpath:db/tools",
            "--sharded-id.global.migrations=classpath:db/tools-global",
            "--spring.sql.init.mode=always",
            "--spring.sql.init.schema-locations=classpath:org/springframework/integration/jdbc/schema-postgresql.sql,classpath:createAclSchemaPostgres.sql",
            "--jobrunr.job-scheduler.enabled=true",
            "--jobrunr.background-job-server.enabled=true",
            "--jobrunr.background-job-server.poll-interval-in-seconds=5",
            "--jobrunr.database.type=sql",
            "--jobrunr.database.datasource=globalDataSource");

    private RunningTools() {}

    static <T> T bean(Class<T> type) {
        return CONTEXT.getBean(type);
    }

    static <T> T bean(String name, Class<T> type) {
        return CONTEXT.getBean(name, type);
    }

    static Recipe recipe(int shard, String title) {
        return ShardContext.call(shard, () -> bean(RecipeRepository.class).saveAndFlush(new Recipe(title)));
    }

    static void inTransaction(Runnable work) {
        new TransactionTemplate(bean(PlatformTransactionManager.class)).executeWithoutResult(status -> work.run());
    }

    static List<String> global(String sql) {
        return DATABASES.pg1().query(sql.replace("$.", "sharded_global."));
    }
}
