package io.github.shardedid.hibernate.composite;

import io.github.shardedid.hibernate.PlainHibernate;
import io.github.shardedid.hibernate.composite.Gallery.Frame;
import io.github.shardedid.hibernate.composite.Gallery.FrameId;
import io.github.shardedid.hibernate.composite.Gallery.Like;
import io.github.shardedid.hibernate.composite.Gallery.LikeId;
import io.github.shardedid.hibernate.composite.Gallery.Mark;
import io.github.shardedid.hibernate.composite.Gallery.MarkId;
import io.github.shardedid.hibernate.composite.Gallery.Note;
import io.github.shardedid.hibernate.composite.Gallery.Photo;
import io.github.shardedid.hibernate.composite.Gallery.Rating;
import io.github.shardedid.hibernate.composite.Gallery.Share;
import io.github.shardedid.hibernate.composite.Gallery.User;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardKeys;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.query.CommonQueryContract;
import org.hibernate.query.NativeQuery;
import org.hibernate.query.SelectionQuery;
import org.hibernate.query.TypedParameterValue;
import org.hibernate.type.StandardBasicTypes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Rows of a gallery in each shard, and the same ones on one database with plain Hibernate. */
abstract class GivenKeys {
    static final int SHARD = 6;
    static final int OTHER = 2;
    static final String REFUSED = "refused";

    static GalleryCluster cluster;
    static TestDatabase database;
    static SessionFactory plain;

    @BeforeAll
    static void start() {
        cluster = new GalleryCluster(Gallery.TABLES, Gallery.ENTITIES);
        database = PostgresServers.shared(1).newDatabase();
        database.execute(Gallery.TABLES);
        plain = PlainHibernate.on(
                database, GalleryCluster.settings(), Gallery.ENTITIES, List.of(User.class, Photo.class));
        for (int shard = 0; shard < GalleryCluster.SHARDS; shard++) {
            insert(cluster.sessions, shard);
            insert(plain, shard);
        }
    }

    @AfterAll
    static void stop() {
        plain.close();
        database.drop();
        cluster.close();
    }

    static long user(int shard) {
        return IdLayout.DEFAULT.encode(1, shard, 1);
    }

    static long photo(int shard) {
        return IdLayout.DEFAULT.encode(2, shard, 1);
    }

    static String tenant(int shard) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> "tenant " + i)
                .filter(text -> ShardKeys.shardOf(text, GalleryCluster.SHARDS) == shard)
                .findFirst()
                .orElseThrow();
    }

    /** Two photos, of which the second has neither a like nor a mark; texts are the same in all shards. */
    static void insert(SessionFactory sessions, int shard) {
        sessions.inTransaction(session -> {
            User user = new User("a user");
            user.id = user(shard);
            session.persist(user);
            Photo photo = new Photo(user);
            photo.id = photo(shard);
            photo.title = "a photo";
            session.persist(photo);
            Photo second = new Photo(user);
            second.id = IdLayout.DEFAULT.encode(3, shard, 1);
            second.title = "words";
            session.persist(second);
            session.persist(new Like(photo, user, "words"));
            session.persist(new Rating(photo, user, shard % 4));
            Mark mark = new Mark(new MarkId(photo(shard), "mark"), "words");
            session.persist(mark);
            session.persist(new Note(mark, 1, "words"));
            Frame frame = new Frame(new FrameId(photo, 1), "words");
            frame.copyOf = second;
            session.persist(frame);
            session.persist(new Share(tenant(shard), 1, "words"));
        });
    }

    private static final Map<String, Function<Session, Object>> VALUES = new LinkedHashMap<>();

    static {
        VALUES.put("photo", session -> photo(SHARD));
        VALUES.put("same", session -> photo(SHARD));
        VALUES.put("elsewhere", session -> photo(3));
        VALUES.put("photoText", session -> String.valueOf(photo(SHARD)));
        VALUES.put("array", session -> "{" + photo(SHARD) + "}");
        VALUES.put("json", session -> "[" + photo(SHARD) + "]");
        VALUES.put("none", session -> new TypedParameterValue<>(StandardBasicTypes.LONG, null));
        VALUES.put("title", session -> "a photo");
        VALUES.put("user", session -> user(SHARD));
        VALUES.put("photos", session -> List.of(photo(SHARD)));
        VALUES.put("several", session -> List.of(photo(SHARD), photo(3)));
        VALUES.put("others", session -> List.of(photo(3), photo(4)));
        VALUES.put("ids", session -> new Long[] {photo(SHARD)});
        VALUES.put("aPhoto", session -> session.getReference(Photo.class, photo(SHARD)));
        VALUES.put("aUser", session -> session.getReference(User.class, user(SHARD)));
        VALUES.put("aMark", session -> session.getReference(Mark.class, new MarkId(photo(SHARD), "mark")));
        VALUES.put("markId", session -> new MarkId(photo(SHARD), "mark"));
        VALUES.put("likeId", session -> new LikeId(photo(SHARD), user(SHARD)));
        VALUES.put("tenant", session -> tenant(SHARD));
        VALUES.put("newId", session -> IdLayout.DEFAULT.encode(9, SHARD, 1));
    }

    static void bind(CommonQueryContract query, Session session) {
        query.getParameterMetadata().getRegistrations().forEach(parameter -> {
            String name = Objects.requireNonNull(parameter.getName());
            Object value = Objects.requireNonNull(VALUES.get(name), name).apply(session);
            if (value instanceof List<?> list) {
                query.setParameterList(name, list);
            } else {
                query.setParameter(name, value);
            }
        });
    }

    static List<String> found(Session session, String hql) {
        SelectionQuery<Object> query = session.createSelectionQuery(hql, Object.class);
        bind(query, session);
        return found(query);
    }

    /** On one database, tables have no schema. */
    static Object natively(Session session, String sql) {
        boolean plainly = session.getSessionFactory() == plain;
        NativeQuery<Object> query =
                session.createNativeQuery(sql.replace("$.", plainly ? "" : "{h-schema}"), Object.class);
        bind(query, session);
        return sql.startsWith("select") || sql.contains("returning") || sql.startsWith("with")
                ? found(query)
                : query.executeUpdate();
    }

    private static List<String> found(SelectionQuery<Object> query) {
        return query.getResultList().stream()
                .map(row -> row instanceof Object[] items
                        ? Stream.of(items).map(String::valueOf).toList()
                        : row)
                .map(String::valueOf)
                .sorted()
                .toList();
    }

    static int changed(Session session, String hql) {
        var query = session.createMutationQuery(hql);
        bind(query, session);
        return query.executeUpdate();
    }

    static Object inRolledBackTransaction(SessionFactory sessions, Function<Session, Object> work) {
        return sessions.fromSession(session -> {
            session.beginTransaction();
            try {
                return work.apply(session);
            } finally {
                session.getTransaction().rollback();
            }
        });
    }

    static Object outcome(@Nullable Target scope, Function<Session, Object> work) {
        Supplier<Object> call = () -> inRolledBackTransaction(cluster.sessions, work);
        try {
            return scope == null ? call.get() : ShardContext.<Object>call(scope, call);
        } catch (RuntimeException e) {
            for (Throwable at = e; at != null; at = at.getCause()) {
                if (at instanceof NoShardException
                        || at instanceof SecondWriteShardException
                        || at instanceof UnsupportedStatementException) {
                    return REFUSED;
                }
            }
            throw e;
        }
    }

    static List<@Nullable Target> scopes() {
        List<@Nullable Target> scopes = new ArrayList<>();
        scopes.add(null);
        scopes.addAll(List.of(Target.shard(OTHER), Target.shard(SHARD), Target.global()));
        return scopes;
    }
}
