package io.github.shardedid.web;

import io.github.shardedid.hibernate.GlobalEntity;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
@GlobalEntity
public class Country {
    @Id
    private String code = "";

    private String name = "";

    protected Country() {}

    public String getCode() {
        return code;
    }

    public String getName() {
        return name;
    }
}
