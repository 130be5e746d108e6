package io.github.shardedid.hibernate.internal.persister;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.SingleTableEntityPersister;
import org.junit.jupiter.api.Test;

class RoutedPersistersTests {
    @Test
    void aMethodThatHibernateDoesNotHaveIsRefused() {
        Class<? extends EntityPersister> generated = new RoutedPersisters().singleTableEntityPersister();
        assertThat(generated).isNotEqualTo(SingleTableEntityPersister.class);

        RoutedPersisters.requireAll(SingleTableEntityPersister.class, generated, List.of("load", "multiLoad"));
        assertThatIllegalStateException()
                .isThrownBy(() -> RoutedPersisters.requireAll(
                        SingleTableEntityPersister.class, generated, List.of("load", "loadAll")))
                .withMessageContaining("SingleTableEntityPersister has no methods [loadAll]");
    }
}
