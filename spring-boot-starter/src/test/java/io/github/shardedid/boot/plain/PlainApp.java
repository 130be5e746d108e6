package io.github.shardedid.boot.plain;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class PlainApp {}
