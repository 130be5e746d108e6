package io.github.shardedid.web;

import io.github.shardedid.databases.TwoDatabases;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.Cluster;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.servlet.client.RestTestClient;

/** The application that all tests share, and its clients. */
public final class RunningWeb {
    public static final TwoDatabases DATABASES = TwoDatabases.create();

    private static final ConfigurableApplicationContext CONTEXT = DATABASES.start(
            WebApp.class,
            "classpath:db/web",
            "--spring.main.web-application-type=servlet",
            "--server.port=0",
            "--sharded-id.global.migrations=classpath:db/web-global",
            "--spring.graphql.schema.locations=classpath:graphql-web/");

    private RunningWeb() {}

    public static <T> T bean(Class<T> type) {
        return CONTEXT.getBean(type);
    }

    public static Author author(int shard, String name) {
        return ShardContext.call(shard, () -> bean(AuthorRepository.class).save(new Author(name)));
    }

    public static RestTestClient client() {
        String port = CONTEXT.getEnvironment().getRequiredProperty("local.server.port");
        return RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
    }

    public static int shardOf(long id) {
        return bean(Cluster.class).shardOf(id);
    }
}
