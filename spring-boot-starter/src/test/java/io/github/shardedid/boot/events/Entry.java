package io.github.shardedid.boot.events;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.Id;
import jakarta.persistence.PostLoad;
import jakarta.persistence.PostPersist;
import jakarta.persistence.PostRemove;
import jakarta.persistence.PostUpdate;
import jakarta.persistence.PrePersist;
import jakarta.persistence.PreRemove;
import jakarta.persistence.PreUpdate;
import jakarta.persistence.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.LastModifiedBy;
import org.springframework.data.domain.DomainEvents;
import org.springframework.data.jpa.domain.support.AuditingEntityListener;

/** Its shard is the visitor's number modulo the shards. */
@Entity
@Table(name = "visit")
@EntityListeners(AuditingEntityListener.class)
public class Entry {
    @Id
    @ShardedId
    @Nullable
    Long id;

    @ShardKey
    long visitor;

    @LastModifiedBy
    String page = "";

    protected Entry() {}

    public Entry(long visitor) {
        this.visitor = visitor;
    }

    public long id() {
        return java.util.Objects.requireNonNull(id);
    }

    public void setPage(String page) {
        this.page = page;
    }

    @DomainEvents
    List<Object> events() {
        return List.of(new Noted(this));
    }

    @PrePersist
    void prePersist() {
        Probe.current().note("prePersist");
    }

    @PreUpdate
    void preUpdate() {
        Probe.current().note("preUpdate");
    }

    @PreRemove
    void preRemove() {
        Probe.current().note("preRemove");
    }

    @PostLoad
    void postLoad() {
        Probe.current().note("postLoad");
    }

    @PostPersist
    void postPersist() {
        Probe.current().note("postPersist");
    }

    @PostUpdate
    void postUpdate() {
        Probe.current().note("postUpdate");
    }

    @PostRemove
    void postRemove() {
        Probe.current().note("postRemove");
    }

    /** An event. */
    public record Noted(Entry entry) {}
}
