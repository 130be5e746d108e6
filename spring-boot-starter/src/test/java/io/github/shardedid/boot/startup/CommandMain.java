package io.github.shardedid.boot.startup;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** An application as a process of its own, which says so if it makes a bean. */
@SpringBootApplication
class CommandMain {
    static final String BEAN = "A bean of the application was made";

    public static void main(String[] arguments) {
        SpringApplication.run(CommandMain.class, arguments);
    }

    @Bean
    String bean() {
        System.out.println(BEAN);
        return BEAN;
    }
}
