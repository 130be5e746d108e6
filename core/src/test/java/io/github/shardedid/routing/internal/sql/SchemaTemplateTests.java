package io.github.shardedid.routing.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.topology.ShardSchema;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaTemplateTests {
    private final SchemaTemplate template = new SchemaTemplate(List.of("SELECT * FROM ", ".photo, ", ".likes"));

    @Test
    void eachPlaceholderIsTheSchema() {
        assertThat(template.namesSchema()).isTrue();
        assertThat(template.in("shard_0005")).isEqualTo("SELECT * FROM shard_0005.photo, shard_0005.likes");
    }

    @Test
    void aTextWithoutPlaceholdersIsItself() {
        SchemaTemplate plain = new SchemaTemplate(List.of("SELECT 1"));

        assertThat(plain.namesSchema()).isFalse();
        assertThat(plain.in("shard_0005")).isEqualTo("SELECT 1");
    }

    @Test
    void theSameSchemaHasTheSameString() {
        String first = template.in("shard_0005");

        assertThat(template.in("shard_0005")).isSameAs(first);
    }

    @Test
    void whateverIsKeptEachSchemaHasItsOwnText() {
        for (int round = 0; round < 2; round++) {
            for (int shard = 0; shard < 8192; shard++) {
                String schema = ShardSchema.nameOf(shard);
                assertThat(template.in(schema)).isEqualTo("SELECT * FROM " + schema + ".photo, " + schema + ".likes");
            }
        }
    }

    @Test
    void aLongTextIsNotKept() {
        SchemaTemplate many =
                new SchemaTemplate(List.of("SELECT 1 FROM ", ".photo WHERE id IN (1" + ", 1".repeat(1_000)));
        String first = many.in("shard_0005");

        assertThat(many.in("shard_0005")).isEqualTo(first).isNotSameAs(first);
    }
}
