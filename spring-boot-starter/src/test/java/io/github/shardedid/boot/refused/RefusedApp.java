package io.github.shardedid.boot.refused;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class RefusedApp {}
