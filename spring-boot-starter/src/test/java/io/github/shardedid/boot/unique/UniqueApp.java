package io.github.shardedid.boot.unique;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.dao.DuplicateKeyException;

/** Signs customers up. */
@SpringBootApplication
public class UniqueApp {
    public static void main(String[] arguments) {
        SpringApplication.run(UniqueApp.class, arguments);
    }

    /** Returns whether the address was free. */
    static boolean signUp(CustomerRepository customers, String email) {
        try {
            customers.save(new Customer(email));
            return true;
        } catch (DuplicateKeyException taken) {
            return false;
        }
    }
}
