package io.github.shardedid.changelog;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class ChangeLogApp {}
