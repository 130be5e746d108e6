package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.spring.data.RouteKind;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.jdbc.core.JdbcTemplate;

/** Settings and themes live on pg2, beside shards 4 to 7. */
@Tag("quick")
class GlobalRepositoriesIntegrationTests {
    private final RunningApp app = RunningApp.shared();
    private final SettingRepository settings = app.bean(SettingRepository.class);
    private final ThemeRepository themes = app.bean(ThemeRepository.class);

    @BeforeEach
    void fill() {
        themes.deleteAll();
        settings.deleteAllInBatch();
        settings.saveAll(List.of(new Setting("colour", "blue"), new Setting("size", "large")));
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(app.activeConnections()).isZero();
    }

    /** Methods of several repositories, of which Spring Data knows nothing. */
    interface ByContent<T> {
        @NativeQuery("select * from setting s where s.content = :content")
        List<T> havingContent(String content);
    }

    interface InheritedSettings extends JpaRepository<Setting, String>, ByContent<Setting> {}

    @Test
    void aQueryOfAnInheritedInterfaceGoesToTheGlobalDatabase() {
        MadeRepository<InheritedSettings> made = MadeRepository.of(app, InheritedSettings.class);

        everywhere(place ->
                assertThat(made.repository().havingContent("blue")).as(place).hasSize(1));
        assertThat(made.routes()).containsEntry("havingContent", RouteKind.GLOBAL);
    }

    private void everywhere(Consumer<String> work) {
        work.accept("nowhere");
        ShardContext.run(1, () -> work.accept("shard 1"));
        ShardContext.run(6, () -> work.accept("shard 6"));
        ShardContext.run(ShardSet.all(), () -> work.accept("all shards"));
        ShardContext.run(2, () -> app.inTransaction(() -> work.accept("a transaction in shard 2")));
    }

    @Test
    void allKindsOfMethodsGoToTheGlobalDatabase() {
        everywhere(place -> {
            assertThat(settings.findById("colour")).isPresent();
            assertThat(settings.existsById("none")).isFalse();
            assertThat(settings.findAllById(List.of("colour", "size"))).hasSize(2);
            assertThat(settings.findAll(Sort.by("name")))
                    .extracting(setting -> setting.name)
                    .containsExactly("colour", "size");
            assertThat(settings.findAll(PageRequest.of(1, 1, Sort.by("name"))).getTotalElements())
                    .isEqualTo(2);
            assertThat(settings.count()).isEqualTo(2);
            assertThat(settings.findByContentOrderByName("blue")).hasSize(1);
            assertThat(settings.contentOf("size")).contains("large");
            assertThat(settings.countNatively("blue")).isEqualTo(1);
            assertThat(settings.isBlue("colour")).isTrue();
            assertThat(settings.getReferenceById("colour").name).isNotNull();
        });
        assertThat(app.home(6).query("SELECT name FROM sharded_global.setting ORDER BY name"))
                .containsExactly("colour", "size");
    }

    @Test
    void savesAndDeletesGoThere() {
        everywhere(place -> {
            Setting setting = settings.save(new Setting(place, "new"));
            Theme theme = themes.save(new Theme("of " + place, setting));
            assertThat(theme.id).isNotNull();
            assertThat(themes.findBySettingContent("new")).hasSize(1);
            assertThat(settings.change(place, "changed")).isEqualTo(1);
            themes.delete(theme);
            settings.deleteById(place);
        });
        assertThat(themes.count()).isZero();
        assertThat(settings.count()).isEqualTo(2);
    }

    @Test
    void aTransactionWritesToAShardOrToTheGlobalDatabase() {
        User user = app.userIn(6);
        assertThatThrownBy(() -> app.inTransaction(() -> {
                    app.photoOf(user, "beside a setting");
                    assertThat(settings.findById("colour")).isPresent();
                    settings.save(new Setting("refused", "x"));
                    settings.flush();
                }))
                .hasStackTraceContaining(SecondWriteShardException.class.getName());
        assertThatThrownBy(() -> app.inTransaction(() -> {
                    settings.change("colour", "red");
                    app.photoOf(user, "beside a setting");
                }))
                .hasStackTraceContaining(SecondWriteShardException.class.getName());
        assertThat(settings.contentOf("colour")).contains("blue");
        assertThat(settings.existsById("refused")).isFalse();
        assertThat(app.query(6, "SELECT id FROM $.photo WHERE caption = 'beside a setting'"))
                .isEmpty();
    }

    @Test
    void jdbcNeedsTheScope() {
        JdbcTemplate jdbc = app.bean(JdbcTemplate.class);
        List<String> names = ShardContext.callGlobal(
                () -> jdbc.queryForList("SELECT name FROM setting ORDER BY name", String.class));
        assertThat(names).containsExactly("colour", "size");
        assertThat(jdbc.queryForList("SELECT name FROM sharded_id_global.setting", String.class))
                .hasSize(2);
    }

    @Test
    void withoutAGlobalDatabaseTheApplicationSaysWhatToSet() {
        assertThatThrownBy(() -> app.start("sharded-id.global.database=").close())
                .hasStackTraceContaining("sharded-id.global.database is empty");
        assertThatThrownBy(() -> app.start("sharded-id.global.database=pg9").close())
                .hasStackTraceContaining("sharded-id.global.database is pg9");
        assertThatThrownBy(() -> app.start("sharded-id.global.schema=public").close())
                .hasStackTraceContaining("sharded-id.global.schema is invalid");
        assertThatThrownBy(() -> app.start("sharded-id.global.database=pg1").close())
                .hasStackTraceContaining("are on database pg2 in the schema sharded_global");
    }
}
