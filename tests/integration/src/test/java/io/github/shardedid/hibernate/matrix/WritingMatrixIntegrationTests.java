package io.github.shardedid.hibernate.matrix;

import static io.github.shardedid.test.matrix.Operation.writes;

import io.github.shardedid.test.matrix.Operation;
import java.util.List;
import java.util.function.Consumer;
import org.hibernate.LockMode;
import org.hibernate.ReplicationMode;
import org.hibernate.Session;
import org.junit.jupiter.api.Tag;

/** Whatever writes a row writes it where its id or its shard key says, or is refused before anything is sent. */
@Tag("quick")
class WritingMatrixIntegrationTests extends SessionMatrix {
    private static final String MEMO = "SELECT description FROM $.memo WHERE id = $id";
    private static final String PRESET = "SELECT description FROM $.memo WHERE id = $id + 1";
    private static final String NOTES = "SELECT count(*) FROM $.note WHERE writer = $id";
    private static final String PETS = "SELECT name FROM $.pet WHERE owner_id = $id ORDER BY name";

    @Override
    protected String heading() {
        return "Writing";
    }

    @Override
    protected List<Operation<Session>> operations() {
        return List.of(
                writes("`persist`, child of a parent", PETS, "new, rex, zoe", call -> call.session()
                        .persist(new Pet(call.session().getReference(Person.class, call.id()), "new"))),
                writes(
                        "`persist`, id by the column's default",
                        "SELECT words FROM $.note WHERE writer = $id AND id <> $id",
                        "new",
                        call -> call.session().persist(new Note(call.id(), "new"))),
                writes(
                        "`persist`, id by the JVM",
                        "SELECT count(*) FROM $.stamp WHERE writer = $id",
                        "1",
                        call -> call.session().persist(new Stamp(call.id()))),
                writes("`persist`, preset id", PRESET, "preset", call -> call.session()
                        .persist(memo(call.id() + 1, "preset"))),
                writes("`persist`, preset id, key of another shard", NOTES, "1", call -> call.session()
                        .persist(strayed(call.id() + 1, call.id()))),
                writes(
                        "`persist`, derived identity (`@MapsId`)",
                        "SELECT motto FROM $.profile WHERE id = $id + 1",
                        "new",
                        call -> call.session()
                                .persist(new Profile(call.session().getReference(Person.class, call.id() + 1), "new"))),
                Operation.<Session>writes(
                                "`persist`, neither id nor shard key",
                                "SELECT description FROM $.memo ORDER BY id DESC LIMIT 1",
                                "new",
                                call -> call.session().persist(new Memo("new")))
                        .inScope(),
                writes("`merge`, preset id, new", PRESET, "merged", call -> call.session()
                        .merge(memo(call.id() + 1, "merged"))),
                writes("`merge`, key of another shard", NOTES, "1", call -> call.session()
                        .merge(strayed(call.id(), call.id()))),
                writes("`merge`, detached", MEMO, "merged", call -> call.session()
                        .merge(memo(call.id(), "merged"))),
                writes("`merge`, detached graph", PETS, "new, rex II", call -> call.session()
                        .merge(graph(call.id()))),
                writes("`merge`, stale version", "SELECT 1", "1", call -> call.session()
                        .merge(stale(call.id()))),
                writes("change of a managed entity", MEMO, "changed", call -> {
                    Memo memo = call.session().find(Memo.class, call.id());
                    if (memo != null) {
                        memo.description = "changed";
                    }
                }),
                writes("change of the shard key", NOTES, "1", call -> {
                    Note note = call.session().find(Note.class, call.id());
                    if (note != null) {
                        note.writer = elsewhere(call.id());
                    }
                }),
                writes("change, derived identity", "SELECT motto FROM $.profile WHERE id = $id", "changed", call -> {
                    Profile profile = call.session().find(Profile.class, call.id());
                    if (profile != null) {
                        profile.motto = "changed";
                    }
                }),
                changes(
                        "change with `@Version`",
                        "SELECT version FROM $.person WHERE id = $id",
                        "1",
                        person -> person.rename("x")),
                writes(
                        "forced increment, optimistic",
                        "SELECT version FROM $.person WHERE id = $id",
                        "1",
                        call -> call.session().find(Person.class, call.id(), LockMode.OPTIMISTIC_FORCE_INCREMENT)),
                writes(
                        "forced increment, pessimistic",
                        "SELECT version FROM $.person WHERE id = $id",
                        "1",
                        call -> call.session().find(Person.class, call.id(), LockMode.PESSIMISTIC_FORCE_INCREMENT)),
                writes("`remove`", MEMO, "", call -> {
                    Memo memo = call.session().find(Memo.class, call.id());
                    if (memo != null) {
                        call.session().remove(memo);
                    }
                }),
                writes("`remove` of a reference", MEMO, "", call -> call.session()
                        .remove(call.session().getReference(Memo.class, call.id()))),
                writes("`remove`, detached", MEMO, "", call -> call.session().remove(memo(call.id(), ""))),
                replicate(),
                changes(
                        "bag: cascaded persist",
                        PETS,
                        "new, rex, zoe",
                        person -> person.pets.add(new Pet(person, "new"))),
                changes("bag: orphan removal", PETS, "zoe", person -> person.pets.remove(0)),
                changes(
                        "set of values",
                        "SELECT nickname FROM $.nickname WHERE person_id = $id ORDER BY 1",
                        "al, ed",
                        person -> person.nicknames.add("ed")),
                changes(
                        "ordered list",
                        "SELECT address FROM $.address WHERE person_id = $id ORDER BY place",
                        "zeroth, first, second",
                        person -> person.addresses.add(0, "zeroth")),
                changes(
                        "map",
                        "SELECT number FROM $.phone WHERE person_id = $id",
                        "456",
                        person -> person.phones.put("home", "456")),
                changes(
                        "join table",
                        "SELECT friend_id FROM $.friendship WHERE person_id = $id",
                        "",
                        person -> person.friends.clear()),
                changes(
                        "one-sided `@OneToMany`",
                        "SELECT person_id FROM $.note WHERE id = $id",
                        "null",
                        person -> person.notes.clear()),
                writes("single table", "SELECT doors FROM $.vehicle WHERE id = $id", "3", call -> {
                    if (call.session().find(Vehicle.class, call.id()) instanceof Vehicle.Car car) {
                        car.doors = 3;
                    }
                }),
                writes("joined tables", "SELECT card FROM $.card_payment WHERE id = $id", "43", call -> {
                    if (call.session().find(Payment.class, call.id()) instanceof Payment.ByCard paid) {
                        paid.card = "43";
                    }
                }),
                writes("table per class", "SELECT radius FROM $.circle WHERE id = $id", "8", call -> {
                    if (call.session().find(Shape.class, call.id()) instanceof Shape.Circle circle) {
                        circle.radius = 8;
                    }
                }));
    }

    @SuppressWarnings("deprecation") // as long as Hibernate has it
    private static Operation<Session> replicate() {
        return writes("`replicate`", MEMO, "copied", call -> call.session()
                .replicate(memo(call.id(), "copied"), ReplicationMode.OVERWRITE));
    }

    private static Operation<Session> changes(String name, String leaves, String left, Consumer<Person> change) {
        return writes(name, leaves, left, call -> {
            Person person = call.session().find(Person.class, call.id());
            if (person != null) {
                change.accept(person);
            }
        });
    }

    /** A note whose key says another shard than its id. */
    static Note strayed(long id, long writer) {
        Note note = new Note(elsewhere(writer), "strayed");
        note.id = id;
        return note;
    }

    /** An id of the next shard. */
    static long elsewhere(long id) {
        return id + (1 << 10);
    }

    private static Memo memo(long id, String description) {
        Memo memo = new Memo(description);
        memo.id = id;
        return memo;
    }

    private static Person stale(long id) {
        Person person = new Person("stale");
        person.id = id;
        person.version = -1;
        return person;
    }

    /** One pet renamed, one missing and one new. */
    private static Person graph(long id) {
        Person person = new Person("of old");
        person.id = id;
        Pet rex = new Pet(person, "rex II");
        rex.id = id;
        person.pets.add(rex);
        person.pets.add(new Pet(person, "new"));
        person.nicknames.add("al");
        return person;
    }
}
