package io.github.shardedid.hibernate.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.id.IdLayout;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;

/** What has the id of another row is in its shard, also before it has it. */
class DerivedIdentityIntegrationTests {
    private final SessionFactory sessions = MatrixCluster.shared().sessions;
    private final EntityShards shards = EntityShards.of(sessions).orElseThrow();

    @Test
    void theParentIsTheShardKey() {
        Profile profile = sessions.fromSession(
                session -> new Profile(session.getReference(Person.class, IdLayout.DEFAULT.encode(7, 6, 1)), "new"));

        assertThat(shards.isSharded(Profile.class)).isTrue();
        assertThat(shards.isGlobal(Profile.class)).isFalse();
        assertThat(shards.shardOf(profile)).isEqualTo(6);
    }

    @Test
    void bothAreSavedInOneTransaction() {
        long id = IdLayout.DEFAULT.encode(8, 5, 1);
        sessions.inTransaction(session -> {
            Person person = new Person("with a profile");
            person.id = id;
            session.persist(person);
            session.persist(new Profile(person, "saved with its person"));
        });

        assertThat(MatrixCluster.shared()
                        .databases
                        .home(5)
                        .query("SELECT motto FROM shard_0005.profile WHERE id = " + id))
                .containsExactly("saved with its person");
    }
}
