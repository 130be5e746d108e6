package io.github.shardedid.hibernate.matrix;

import static io.github.shardedid.test.matrix.Operation.reads;
import static io.github.shardedid.test.matrix.Operation.writes;

import io.github.shardedid.test.matrix.Operation;
import java.util.List;
import org.hibernate.Hibernate;
import org.hibernate.Session;

/** The second-level cache knows entities and collections by their ids, which are of one shard each. */
class CacheMatrixIntegrationTests extends SessionMatrix {
    @Override
    protected String heading() {
        return "Second-level cache";
    }

    /** Puts the badge and its colours into the cache. */
    @Override
    protected void prepare(long id) {
        cluster().sessions.inTransaction(session -> {
            Badge badge = session.find(Badge.class, id);
            if (badge != null) {
                Hibernate.initialize(badge.colours);
            }
        });
    }

    @Override
    protected List<Operation<Session>> operations() {
        return List.of(
                reads("`find`, cached", "a badge", call -> {
                    Badge badge = call.session().find(Badge.class, call.id());
                    return badge == null ? null : badge.description;
                }),
                reads("collection, cached", "[red]", call -> {
                    Badge badge = call.session().find(Badge.class, call.id());
                    return badge == null ? null : badge.colours.toString();
                }),
                writes(
                        "change of what is cached",
                        "SELECT description FROM $.badge WHERE id = $id",
                        "another",
                        call -> {
                            Badge badge = call.session().find(Badge.class, call.id());
                            if (badge != null) {
                                badge.description = "another";
                            }
                        }),
                writes(
                        "change of a cached collection",
                        "SELECT colour FROM $.badge_colour WHERE badge_id = $id ORDER BY 1",
                        "blue, red",
                        call -> {
                            Badge badge = call.session().find(Badge.class, call.id());
                            if (badge != null) {
                                badge.colours.add("blue");
                            }
                        }));
    }
}
