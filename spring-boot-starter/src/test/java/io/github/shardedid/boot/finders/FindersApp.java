package io.github.shardedid.boot.finders;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class FindersApp {}
