package io.github.shardedid.boot.test;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.test.context.TestPropertySource;

/** What the shop's configuration says of production: names, shards and passwords that no test has. */
@TestPropertySource(
        properties = {
            "sharded-id.epoch=2024-01-01T00:00:00Z",
            "sharded-id.shards=2000",
            "sharded-id.migrations=classpath:db/testkit/shard",
            "sharded-id.provisioning.enabled=false",
            "sharded-id.hikari.connection-timeout=20000",
            "sharded-id.databases.eu-west.url=jdbc:postgresql://eu-west.shop.example/shop",
            "sharded-id.databases.eu-west.password=${A_SECRET_OF_PRODUCTION}",
            "sharded-id.databases.eu-west.shards=0-1999",
            "sharded-id.databases.eu-west.replication.port=${A_PORT_OF_PRODUCTION}",
            "sharded-id.global.database=eu-west",
            "sharded-id.global.migrations=classpath:db/testkit/global"
        })
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface ShopProperties {}
