package io.github.shardedid.hibernate.matrix;

import static io.github.shardedid.test.matrix.Operation.reads;

import io.github.shardedid.test.matrix.Operation;
import jakarta.persistence.EntityGraph;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hibernate.Hibernate;
import org.hibernate.LockMode;
import org.hibernate.Session;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** Whatever reads by an id finds the row, and asks nobody else. */
@Tag("quick")
class ReadingMatrixIntegrationTests extends SessionMatrix {
    @Override
    protected String heading() {
        return "Reading by id";
    }

    @Override
    protected List<Operation<Session>> operations() {
        return List.of(
                reads("`find`", "of old", call -> nameOf(person(call))),
                reads(
                        "`find` with an optimistic lock",
                        "of old",
                        call -> nameOf(call.session().find(Person.class, call.id(), LockMode.OPTIMISTIC))),
                reads(
                        "`find` with a pessimistic lock",
                        "of old",
                        call -> nameOf(call.session().find(Person.class, call.id(), LockMode.PESSIMISTIC_WRITE))),
                reads("`find` with an entity graph", "rex, zoe", call -> {
                    EntityGraph<Person> graph = call.session().createEntityGraph(Person.class);
                    graph.addAttributeNodes("pets");
                    Person found = call.session().find(graph, call.id());
                    return found == null ? null : Hibernate.isInitialized(found.pets) ? pets(found) : "lazy";
                }),
                reads(
                        "`findMultiple`",
                        "rex, zoe",
                        call -> join(
                                call.session().findMultiple(Pet.class, List.of(call.id(), call.id() + 1)),
                                pet -> pet.name)),
                byMultipleIds(),
                reads("`getReference`, loaded later", "of old", call -> call.session()
                        .getReference(Person.class, call.id())
                        .name()),
                reads("`refresh`", "of old", withSession((session, person) -> session.refresh(person))),
                reads(
                        "`lock`, optimistic",
                        "of old",
                        withSession((session, person) -> session.lock(person, LockMode.OPTIMISTIC))),
                reads(
                        "`lock`, pessimistic",
                        "of old",
                        withSession((session, person) -> session.lock(person, LockMode.PESSIMISTIC_READ))),
                reads("lazy to-one association", "of old", call -> {
                    Pet pet = call.session().find(Pet.class, call.id());
                    return pet == null || pet.owner == null ? null : pet.owner.name();
                }),
                reads("inverse one-to-one association", "P1", call -> {
                    Traveller traveller = call.session().find(Traveller.class, call.id());
                    return traveller == null || traveller.passport == null ? null : traveller.passport.number;
                }),
                reads("derived identity (`@MapsId`)", "a motto", call -> {
                    Profile profile = call.session().find(Profile.class, call.id());
                    return profile == null ? null : profile.motto;
                }),
                reads("parent of a derived identity", "of old", call -> {
                    Profile profile = call.session().find(Profile.class, call.id());
                    return profile == null || profile.person == null ? null : profile.person.name();
                }),
                reads("bag (`@OneToMany`, `mappedBy`)", "rex, zoe", of(ReadingMatrixIntegrationTests::pets)),
                reads("set of values (`@ElementCollection`)", "al", of(person -> String.join(", ", person.nicknames))),
                reads(
                        "ordered list (`@OrderColumn`)",
                        "first, second",
                        of(person -> String.join(", ", person.addresses))),
                reads("map (`@MapKeyColumn`)", "{home=123}", of(person -> person.phones.toString())),
                reads("join table (`@ManyToMany`)", "friend of old", of(person -> join(person.friends, Person::name))),
                reads(
                        "one-sided `@OneToMany` with `@JoinColumn`",
                        "noted",
                        of(person -> join(person.notes, note -> note.words))),
                reads("`Hibernate.size`", 2, of(person -> Hibernate.size(person.pets))),
                reads(
                        "inheritance, single table",
                        5,
                        call -> call.session().find(Vehicle.class, call.id()) instanceof Vehicle.Car car
                                ? car.doors
                                : null),
                reads(
                        "inheritance, joined tables",
                        "42",
                        call -> call.session().find(Payment.class, call.id()) instanceof Payment.ByCard paid
                                ? paid.card
                                : null),
                reads(
                        "inheritance, table per class",
                        7,
                        call -> call.session().find(Shape.class, call.id()) instanceof Shape.Circle circle
                                ? circle.radius
                                : null),
                reads("`@MappedSuperclass`", "a memo", call -> {
                    Memo memo = call.session().find(Memo.class, call.id());
                    return memo == null ? null : memo.description;
                }));
    }

    @SuppressWarnings("removal") // as long as Hibernate has it
    private static Operation<Session> byMultipleIds() {
        return reads(
                "`byMultipleIds`",
                "rex, zoe",
                call -> join(
                        call.session().byMultipleIds(Pet.class).multiLoad(call.id(), call.id() + 1), pet -> pet.name));
    }

    private static @Nullable Person person(Operation.Call<Session> call) {
        return call.session().find(Person.class, call.id());
    }

    private static @Nullable String nameOf(@Nullable Person person) {
        return person == null ? null : person.name;
    }

    private static String pets(Person person) {
        return join(person.pets, pet -> pet.name);
    }

    private static <T extends @Nullable Object> String join(Collection<T> values, Function<T, String> text) {
        return values.stream().filter(Objects::nonNull).map(text).collect(Collectors.joining(", "));
    }

    private static Operation.Work<Session> withSession(BiConsumer<Session, Person> work) {
        return call -> {
            Person found = person(call);
            if (found != null) {
                work.accept(call.session(), found);
            }
            return nameOf(found);
        };
    }

    private static Operation.Work<Session> of(Function<Person, @Nullable Object> work) {
        return call -> {
            Person found = person(call);
            return found == null ? null : work.apply(found);
        };
    }
}
