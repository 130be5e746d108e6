package io.github.shardedid.boot.ints;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class IntApp {}
