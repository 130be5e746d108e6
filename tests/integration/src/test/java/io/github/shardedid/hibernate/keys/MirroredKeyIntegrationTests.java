package io.github.shardedid.hibernate.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.AssociationAcrossShardsException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A shard key that is never sent contradicts nothing; the association that writes its column is looked at. */
@Tag("quick")
class MirroredKeyIntegrationTests extends WithKeyedCluster {
    private static Mirrored mirrored(int shard, int stale, ByNumber owner) {
        Mirrored made = new Mirrored();
        made.id = cluster.newId(shard);
        made.owner = owner;
        made.key(stale);
        return made;
    }

    @Test
    void itsStaleValueIsNotLookedAt() {
        ByNumber owner = cluster.saved(new ByNumber(), 1);
        Mirrored made = mirrored(1, 2, owner);

        cluster.sessions.inTransaction(session -> session.persist(made));
        cluster.sessions.inStatelessTransaction(session -> session.upsert(made));

        Mirrored found = cluster.sessions.fromSession(session -> session.find(Mirrored.class, made.id));
        assertThat(found.tenantId).isEqualTo(owner.id);
    }

    @Test
    void theAssociationIsLookedAt() {
        ByNumber owner = cluster.saved(new ByNumber(), 2);
        Mirrored made = mirrored(1, 1, owner);

        assertThatThrownBy(() -> cluster.sessions.inTransaction(session -> session.persist(made)))
                .isInstanceOf(AssociationAcrossShardsException.class);
    }
}
