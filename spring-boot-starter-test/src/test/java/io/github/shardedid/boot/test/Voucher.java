package io.github.shardedid.boot.test;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** Global. */
@Entity
class Voucher {
    @Id
    String code = "";

    protected Voucher() {}

    Voucher(String code) {
        this.code = code;
    }
}
