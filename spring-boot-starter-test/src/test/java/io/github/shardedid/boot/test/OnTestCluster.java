package io.github.shardedid.boot.test;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.test.context.SpringBootTest;

/** One application for most tests of the kit: an annotation of the user's own may carry the kit's. */
@SpringBootTest
@AutoConfigureShardedCluster
@ShopProperties
@Tag("embedded-only")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface OnTestCluster {}
