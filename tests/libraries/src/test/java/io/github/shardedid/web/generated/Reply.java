package io.github.shardedid.web.generated;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import lombok.EqualsAndHashCode;
import lombok.Getter;
import lombok.NoArgsConstructor;
import lombok.Setter;
import org.jspecify.annotations.Nullable;

/** In the shard of its ticket. */
@Entity
@Getter
@Setter
@NoArgsConstructor
@EqualsAndHashCode(of = "id")
public class Reply {
    @Id
    @ShardedId
    private @Nullable Long id;

    private @Nullable String words;

    @ShardKey
    @ManyToOne(fetch = FetchType.LAZY)
    private @Nullable Ticket ticket;

    Reply(String words, Ticket ticket) {
        this.words = words;
        this.ticket = ticket;
    }
}
