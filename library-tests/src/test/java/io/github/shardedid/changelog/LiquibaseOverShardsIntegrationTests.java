package io.github.shardedid.changelog;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Shards 0 to 3 are on pg1, beside the global schema, which Boot's own Liquibase migrates, too; 4 to 7 are on pg2. */
class LiquibaseOverShardsIntegrationTests {
    private static final TestDatabase PG1 = PostgresServers.shared(1).newDatabase();
    private static final TestDatabase PG2 = PostgresServers.shared(2).newDatabase();

    private static ConfigurableApplicationContext start(String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "spring.main.web-application-type=none",
                "spring.main.banner-mode=off",
                "spring.liquibase.change-log=classpath:db/changelog/master.sql",
                "spring.batch.job.enabled=false",
                "spring.batch.jdbc.initialize-schema=always",
                "spring.jpa.hibernate.ddl-auto=validate",
                "sharded-id.epoch=2024-01-01T00:00:00Z",
                "sharded-id.shards=8",
                "sharded-id.migrations=",
                "sharded-id.global.database=pg1",
                "sharded-id.liquibase.change-log=classpath:db/songs/changelog.yaml",
                "sharded-id.liquibase.global-change-log=classpath:db/songs/global.xml",
                "sharded-id.liquibase.parameters.artist=nobody"));
        List<TestDatabase> databases = List.of(PG1, PG2);
        for (int i = 0; i < 2; i++) {
            TestDatabase database = databases.get(i);
            String prefix = "sharded-id.databases.pg" + (i + 1) + ".";
            properties.add(prefix + "url=" + database.url());
            properties.add(prefix + "username=" + database.server().username());
            properties.add(prefix + "password=" + database.server().password());
            properties.add(prefix + "shards=" + (i == 0 ? "0-3" : "4-7"));
        }
        properties.addAll(List.of(more));
        return new SpringApplicationBuilder(ChangeLogApp.class)
                .properties(properties.toArray(String[]::new))
                .run();
    }

    @AfterEach
    void drop() {
        PG1.drop();
        PG2.drop();
    }

    @Test
    void anApplicationStartsWithAChangeLog() {
        try (ConfigurableApplicationContext first = start()) {
            SongRepository songs = first.getBean(SongRepository.class);
            Song near = ShardContext.call(2, () -> songs.save(new Song("near", "a")));
            Song far = ShardContext.call(6, () -> songs.save(new Song("far", "b")));
            assertThat(songs.findAllById(List.of(near.id(), far.id())))
                    .extracting(song -> song.title)
                    .containsExactlyInAnyOrder("near", "far");
        }
        PG2.execute("INSERT INTO shard_0005.song (title) VALUES ('by hand')");
        assertThat(PG2.query("SELECT artist FROM shard_0005.song")).containsExactly("nobody");
        assertThat(PG2.query("SELECT id FROM shard_0005.databasechangelog ORDER BY orderexecuted"))
                .containsExactly("song", "artist");
        assertThat(PG1.query("SELECT id FROM sharded_global.databasechangelog ORDER BY orderexecuted"))
                .containsExactly("label", "1");

        List<String> before = PG1.query("SELECT xmin || id FROM shard_0002.databasechangelog");
        start("sharded-id.provisioning.enabled=false").close();
        assertThat(PG1.query("SELECT xmin || id FROM shard_0002.databasechangelog"))
                .isEqualTo(before);
    }
}
