package io.github.shardedid.changelog;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.databases.TwoDatabases;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Shards 0 to 3 are on pg1, beside the global schema, which Boot's own Liquibase migrates, too; 4 to 7 are on pg2. */
class LiquibaseOverShardsIntegrationTests {
    private static final TwoDatabases DATABASES = TwoDatabases.create();
    private static final TestDatabase PG1 = DATABASES.pg1();
    private static final TestDatabase PG2 = DATABASES.pg2();

    private static ConfigurableApplicationContext start(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.liquibase.enabled=true",
                "--spring.liquibase.change-log=classpath:db/changelog/master.sql",
                "--spring.jpa.hibernate.ddl-auto=validate",
                "--sharded-id.liquibase.change-log=classpath:db/songs/changelog.yaml",
                "--sharded-id.liquibase.global-change-log=classpath:db/songs/global.xml",
                "--sharded-id.liquibase.parameters.artist=nobody"));
        arguments.addAll(List.of(more));
        return DATABASES.start(ChangeLogApp.class, "", arguments.toArray(String[]::new));
    }

    @AfterEach
    void drop() {
        DATABASES.drop();
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
        start("--sharded-id.provisioning.enabled=false").close();
        assertThat(PG1.query("SELECT xmin || id FROM shard_0002.databasechangelog"))
                .isEqualTo(before);
    }
}
