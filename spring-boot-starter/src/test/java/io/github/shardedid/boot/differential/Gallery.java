package io.github.shardedid.boot.differential;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application: started with shards, and without. */
@SpringBootApplication
public class Gallery {}
