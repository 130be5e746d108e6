package io.github.shardedid.modulith;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class ModulithApp {}
