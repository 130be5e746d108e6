package io.github.shardedid.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.core.io.support.SpringFactoriesLoader;

class ShardedRuntimeHintsTests {
    private static final String HIBERNATE = "io.github.shardedid.hibernate.internal.";

    private final RuntimeHints hints = new RuntimeHints();

    ShardedRuntimeHintsTests() {
        SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
                .load(RuntimeHintsRegistrar.class)
                .forEach(registrar -> registrar.registerHints(hints, getClass().getClassLoader()));
    }

    @Test
    void facadesOfStatementsAndResultsCanBeMade() throws NoSuchMethodException {
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(PreparedStatement.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.proxies().forInterfaces(ResultSet.class))
                .accepts(hints);
        Method execute = Statement.class.getMethod("executeQuery", String.class);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(execute))
                .accepts(hints);
    }

    @Test
    void whatHibernateMakesByReflectionIsThereUnderItsName() throws ReflectiveOperationException {
        for (String name : new String[] {
            "persister.RoutedSingleTablePersister",
            "persister.RoutedJoinedPersister",
            "persister.RoutedUnionPersister",
            "persister.RoutedOneToManyPersister",
            "persister.RoutedBasicCollectionPersister",
            "routing.ShardedIdGenerator",
            "guards.GuardedTranslatorFactory",
            "mapping.ForeignShardBinder",
            "mapping.RowReference"
        }) {
            Class<?> made = Class.forName(HIBERNATE + name);
            assertThat(RuntimeHintsPredicates.reflection().onConstructorInvocation(made.getDeclaredConstructors()[0]))
                    .as(name)
                    .accepts(hints);
        }
    }

    @Test
    void theSqlOfOperationsIsKept() {
        for (String file : new String[] {
            "provisioning/functions.sql",
            "provisioning/leases.sql",
            "provisioning/meta.sql",
            "provisioning/moves.sql",
            "provisioning/roles.sql",
            "provisioning/shard.sql",
            "operations/internal/structure.sql"
        }) {
            String path = "io/github/shardedid/" + file;
            assertThat(getClass().getClassLoader().getResource(path)).isNotNull();
            assertThat(RuntimeHintsPredicates.resource().forResource(path))
                    .as(file)
                    .accepts(hints);
        }
    }
}
