package io.github.shardedid.spring.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

class AllShardsRouteTests {
    interface Queries {
        List<Object> findByCaption();

        @AllShards(perShard = true)
        List<Object> findEach();

        long deleteByCaption();

        @Modifying
        @Query("update Photo p set p.caption = ''")
        int recaption();

        Object saveAll();

        Object findById();
    }

    private static MethodRoute route(String method, boolean shardKey) throws NoSuchMethodException {
        return AllShardsRoute.of(new MethodName(Queries.class, Queries.class.getDeclaredMethod(method)), shardKey);
    }

    @Test
    void asksAllShardsOrThoseOfTheScope() throws NoSuchMethodException {
        MethodRoute route = route("findByCaption", false);

        assertThat(route.of(new Object[0])).isEqualTo(new CallTarget.To(ShardSet.all()));
        ShardContext.run(3, () -> assertThat(route.of(new Object[0])).isInstanceOf(CallTarget.To.class));
        CallTarget within = ShardContext.call(ShardSet.of(Set.of(1, 2)), () -> route.of(new Object[0]));
        assertThat(within).isEqualTo(CallTarget.AS_IT_IS);
    }

    @Test
    void eachShardByItself() throws NoSuchMethodException {
        MethodRoute route = route("findEach", false);

        assertThat(route.of(new Object[0])).isInstanceOfSatisfying(CallTarget.To.class, to -> assertThat(to.target())
                .isEqualTo(ShardSet.all().perShard()));
        ShardSet some = ShardSet.of(Set.of(1, 2));
        assertThat(ShardContext.call(some, () -> route.of(new Object[0])))
                .isInstanceOfSatisfying(CallTarget.To.class, to -> assertThat(to.target())
                        .hasToString(some.toString())
                        .matches(set -> ((ShardSet) set).isPerShard()));
        assertThat(ShardContext.call(some.perShard(), () -> route.of(new Object[0])))
                .isEqualTo(CallTarget.AS_IT_IS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"deleteByCaption", "recaption", "saveAll"})
    void aMethodThatWritesIsAMistake(String method) {
        assertThatExceptionOfType(ShardedIdMappingException.class)
                .isThrownBy(() -> route(method, false))
                .withMessageContaining("Queries." + method)
                .withMessageContaining("it writes");
    }

    @Test
    void soIsOneThatTellsItsShard() {
        assertThatExceptionOfType(ShardedIdMappingException.class)
                .isThrownBy(() -> route("findById", false))
                .withMessageContaining("its id determines");
        assertThatExceptionOfType(ShardedIdMappingException.class)
                .isThrownBy(() -> route("findByCaption", true))
                .withMessageContaining("@ShardKey determines");
    }
}
