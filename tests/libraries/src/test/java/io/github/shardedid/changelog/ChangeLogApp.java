package io.github.shardedid.changelog;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class ChangeLogApp {
    public static void main(String[] arguments) {
        SpringApplication.run(ChangeLogApp.class, arguments);
    }
}
