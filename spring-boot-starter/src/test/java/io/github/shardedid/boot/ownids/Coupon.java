package io.github.shardedid.boot.ownids;

import io.github.shardedid.hibernate.ShardKey;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** Each shard may have one with the same code. */
@Entity
public class Coupon {
    @Id
    private String code = "";

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    private @Nullable Customer customer;

    private String words = "";

    protected Coupon() {}

    Coupon(String code, Customer customer, String words) {
        this.code = code;
        this.customer = customer;
        this.words = words;
    }

    public String getCode() {
        return code;
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
