package io.github.shardedid.boot.test;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class Shop {}
