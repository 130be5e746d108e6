package io.github.shardedid.boot.unsharded;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class UnshardedApp {}
