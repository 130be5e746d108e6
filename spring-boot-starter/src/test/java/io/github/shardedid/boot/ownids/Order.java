package io.github.shardedid.boot.ownids;

import io.github.shardedid.hibernate.ShardKey;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Lives with its customer. */
@Entity
@Table(name = "orders")
public class Order {
    @Id
    @GeneratedValue(strategy = GenerationType.UUID)
    private @Nullable UUID id;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    private @Nullable Customer customer;

    private String words = "";

    protected Order() {}

    Order(Customer customer, String words) {
        this.customer = customer;
        this.words = words;
    }

    UUID id() {
        return Objects.requireNonNull(id);
    }

    public @Nullable Customer getCustomer() {
        return customer;
    }

    public String getWords() {
        return words;
    }

    void setWords(String words) {
        this.words = words;
    }
}
