package io.github.shardedid.boot.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.spring.id.IdConverter;
import io.github.shardedid.spring.id.IdOf;
import io.github.shardedid.spring.id.IdText;
import io.github.shardedid.spring.id.ShardedIdModule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.format.support.FormattingConversionService;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.json.JsonMapper;

/** Without any database, as in a slice of a test. */
class ShardedIdTextAutoConfigurationTests {
    private static final AutoConfigurations TEXT =
            AutoConfigurations.of(ShardedIdTextAutoConfiguration.class, JacksonAutoConfiguration.class);
    private static final String[] CLUSTER = {
        "sharded-id.shards=8",
        "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/app",
        "sharded-id.databases.pg1.shards=0-7"
    };
    private static final long ID = 241_294_492_511_762_325L;

    private final ApplicationContextRunner unconfigured = new ApplicationContextRunner().withConfiguration(TEXT);
    private final ApplicationContextRunner runner = unconfigured.withPropertyValues(CLUSTER);

    record View(@IdOf long id) {}

    @Test
    void bootsMapperWritesIdsAsText() {
        runner.run(context -> assertThat(context.getBean(JsonMapper.class).writeValueAsString(new View(ID)))
                .isEqualTo("{\"id\":\"" + ID + "\"}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sharded-id.json.ids-as=short-text",
                "sharded-id.json.idsAs=SHORT_TEXT",
                "sharded-id.json.ids_as=shorttext"
            })
    void bootsMapperWritesTheShortTextFormIfItIsWanted(String property) {
        runner.withPropertyValues(property)
                .run(context -> assertThat(context.getBean(JsonMapper.class).writeValueAsString(new View(ID)))
                        .isEqualTo("{\"id\":\"" + IdLayout.DEFAULT.toText(ID) + "\"}"));
    }

    @Test
    void backsOffFromJsonIfNumbersAreWanted() {
        runner.withPropertyValues("sharded-id.json.ids-as=number").run(context -> {
            assertThat(context).doesNotHaveBean(ShardedIdModule.class).hasSingleBean(IdConverter.class);
            assertThat(context.getBean(JsonMapper.class).writeValueAsString(new View(ID)))
                    .isEqualTo("{\"id\":" + ID + "}");
        });
    }

    @Test
    void backsOffWithoutDatabases() {
        unconfigured.run(context -> assertThat(context)
                .doesNotHaveBean(IdText.class)
                .doesNotHaveBean(IdConverter.class)
                .doesNotHaveBean(ShardedIdModule.class));
    }

    @Test
    void backsOffFromJsonWithoutJackson() {
        runner.withClassLoader(new FilteredClassLoader(JacksonModule.class, JsonMapper.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(IdConverter.class)
                        .doesNotHaveBean("shardedIdModule"));
    }

    @Test
    void readsByTheLayoutThatIsConfigured() {
        runner.withPropertyValues(
                        "sharded-id.layout.unit=seconds",
                        "sharded-id.layout.timestamp-bits=25",
                        "sharded-id.layout.shard-bits=2",
                        "sharded-id.layout.sequence-bits=5",
                        "sharded-id.jvm-nodes=0",
                        "sharded-id.shards=4",
                        "sharded-id.databases.pg1.shards=0-3")
                .run(context -> assertThat(context.getBean(IdText.class).parse("2147483647"))
                        .isEqualTo(Integer.MAX_VALUE));
    }

    /** As Spring MVC and WebFlux do. */
    @Test
    void parametersOfRequestsAreReadInEitherForm() {
        runner.run(context -> {
            FormattingConversionService conversion = new DefaultFormattingConversionService();
            ApplicationConversionService.addBeans(conversion, context.getBeanFactory());
            TypeDescriptor parameter = new TypeDescriptor(View.class.getDeclaredField("id"));
            TypeDescriptor string = TypeDescriptor.valueOf(String.class);

            assertThat(conversion.convert(IdLayout.DEFAULT.toText(ID), string, parameter))
                    .isEqualTo(ID);
            assertThat(conversion.convert(Long.toString(ID), string, parameter)).isEqualTo(ID);
        });
    }
}
