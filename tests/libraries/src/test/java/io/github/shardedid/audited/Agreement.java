package io.github.shardedid.audited;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import java.util.Set;
import java.util.TreeSet;
import org.hibernate.annotations.TenantId;
import org.jspecify.annotations.Nullable;

/** A row of a tenant, with a collection. */
@Entity
public class Agreement {
    @Id
    @ShardedId
    @Nullable
    private Long id;

    @ShardKey
    @TenantId
    @Nullable
    private String tenant;

    @ElementCollection
    @CollectionTable(name = "agreement_party", joinColumns = @JoinColumn(name = "agreement_id"))
    @Column(name = "party")
    private Set<String> parties = new TreeSet<>();

    protected Agreement() {}

    public Agreement(long id, String tenant, String... parties) {
        this.id = id;
        this.tenant = tenant;
        this.parties = new TreeSet<>(Set.of(parties));
    }

    public @Nullable String tenant() {
        return tenant;
    }
}
