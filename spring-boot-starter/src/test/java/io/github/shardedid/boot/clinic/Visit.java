package io.github.shardedid.boot.clinic;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.time.LocalDate;

@Entity
@Table(name = "visits")
class Visit extends BaseEntity {
    @Column(name = "visit_date")
    private LocalDate date = LocalDate.EPOCH;

    private String description = "";

    protected Visit() {}

    Visit(LocalDate date, String description) {
        this.date = date;
        this.description = description;
    }

    LocalDate getDate() {
        return date;
    }

    String getDescription() {
        return description;
    }
}
