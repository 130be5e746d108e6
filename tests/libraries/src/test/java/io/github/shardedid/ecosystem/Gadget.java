package io.github.shardedid.ecosystem;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Cacheable;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Version;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hibernate.annotations.Cache;
import org.hibernate.annotations.CacheConcurrencyStrategy;
import org.hibernate.annotations.DynamicUpdate;
import org.hibernate.annotations.Formula;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.annotations.SQLRestriction;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.CreatedDate;
import org.springframework.data.annotation.LastModifiedBy;
import org.springframework.data.jpa.domain.support.AuditingEntityListener;

/** An entity with a little of everything. */
@Entity
@Cacheable
@Cache(usage = CacheConcurrencyStrategy.READ_WRITE)
@DynamicUpdate
@EntityListeners(AuditingEntityListener.class)
@SQLRestriction("retired = false")
class Gadget {
    enum Kind {
        TOOL,
        TOY
    }

    enum State {
        NEW,
        USED
    }

    @Embeddable
    record Size(int width, int height) {}

    @Id
    @ShardedId
    private @Nullable Long id;

    @Version
    int version;

    String name = "";

    @Enumerated(EnumType.STRING)
    Kind kind = Kind.TOOL;

    @JdbcTypeCode(SqlTypes.NAMED_ENUM)
    @jakarta.persistence.Column(columnDefinition = "gadget_state")
    State state = State.NEW;

    String[] tags = {};

    @JdbcTypeCode(SqlTypes.JSON)
    Map<String, String> data = Map.of();

    Size size = new Size(0, 0);

    boolean retired;

    @CreatedDate
    @Nullable
    Instant createdAt;

    @LastModifiedBy
    @Nullable
    String changedBy;

    @Formula("upper(name)")
    @Nullable
    String shouted;

    @Formula("(select count(*) from {h-schema}part p where p.gadget_id = id and not p.deleted)")
    int partCount;

    @OneToMany(mappedBy = "gadget")
    List<Part> parts = new ArrayList<>();

    protected Gadget() {}

    Gadget(String name) {
        this.name = name;
    }

    long id() {
        return Objects.requireNonNull(id);
    }
}
