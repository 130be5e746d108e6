package io.github.shardedid.boot.app;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class PhotoSharing {
    public static void main(String[] arguments) {
        SpringApplication.run(PhotoSharing.class, arguments);
    }
}
