package io.github.shardedid.benchmarks.start;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Table;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

/** Twenty sharded entities, of the tables of {@link TableScript}. */
final class ShardedEntities {
    static final int NUMBER = 20;

    private ShardedEntities() {}

    static PersistenceManagedTypes entities() {
        return PersistenceManagedTypes.of(Arrays.stream(ShardedEntities.class.getDeclaredClasses())
                .map(Class::getName)
                .toArray(String[]::new));
    }

    /** What all have. */
    @MappedSuperclass
    abstract static class Row {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @Column(name = "user_id")
        long userId;

        @Nullable
        String caption;
    }

    @Entity
    @Table(name = "t0")
    static class T0 extends Row {}

    @Entity
    @Table(name = "t1")
    static class T1 extends Row {}

    @Entity
    @Table(name = "t2")
    static class T2 extends Row {}

    @Entity
    @Table(name = "t3")
    static class T3 extends Row {}

    @Entity
    @Table(name = "t4")
    static class T4 extends Row {}

    @Entity
    @Table(name = "t5")
    static class T5 extends Row {}

    @Entity
    @Table(name = "t6")
    static class T6 extends Row {}

    @Entity
    @Table(name = "t7")
    static class T7 extends Row {}

    @Entity
    @Table(name = "t8")
    static class T8 extends Row {}

    @Entity
    @Table(name = "t9")
    static class T9 extends Row {}

    @Entity
    @Table(name = "t10")
    static class T10 extends Row {}

    @Entity
    @Table(name = "t11")
    static class T11 extends Row {}

    @Entity
    @Table(name = "t12")
    static class T12 extends Row {}

    @Entity
    @Table(name = "t13")
    static class T13 extends Row {}

    @Entity
    @Table(name = "t14")
    static class T14 extends Row {}

    @Entity
    @Table(name = "t15")
    static class T15 extends Row {}

    @Entity
    @Table(name = "t16")
    static class T16 extends Row {}

    @Entity
    @Table(name = "t17")
    static class T17 extends Row {}

    @Entity
    @Table(name = "t18")
    static class T18 extends Row {}

    @Entity
    @Table(name = "t19")
    static class T19 extends Row {}
}
