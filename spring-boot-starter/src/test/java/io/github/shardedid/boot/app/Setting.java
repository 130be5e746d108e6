package io.github.shardedid.boot.app;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** Not sharded, so global. */
@Entity
public class Setting {
    @Id
    String name = "";

    @Column(name = "content")
    String content = "";

    protected Setting() {}

    public Setting(String name, String content) {
        this.name = name;
        this.content = content;
    }
}
