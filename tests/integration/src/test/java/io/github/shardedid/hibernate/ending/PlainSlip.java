package io.github.shardedid.hibernate.ending;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "slip")
class PlainSlip extends Slip {
    @Id
    long id;

    @Override
    long id() {
        return id;
    }
}
