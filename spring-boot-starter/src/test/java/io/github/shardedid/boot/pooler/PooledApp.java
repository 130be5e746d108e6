package io.github.shardedid.boot.pooler;

import io.github.shardedid.boot.app.PhotoSharing;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/** The photo sharing application with one more entity. */
@SpringBootApplication
@EntityScan(basePackageClasses = {PhotoSharing.class, PooledApp.class})
@EnableJpaRepositories(basePackageClasses = {PhotoSharing.class, PooledApp.class})
class PooledApp {}
