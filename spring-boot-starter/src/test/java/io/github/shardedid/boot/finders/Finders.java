package io.github.shardedid.boot.finders;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Example;
import org.springframework.data.domain.ExampleMatcher;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;

/** The ways in which an application finds rows by a unique value, each by its name. */
final class Finders {
    /** By a login, an e-mail address or a slug. */
    static final Map<String, BiFunction<People, String, @Nullable Object>> ALL = new LinkedHashMap<>();

    static {
        derived();
        declared();
        built();
        essays();
    }

    private Finders() {}

    private static void derived() {
        ALL.put("findByEmail", (people, value) -> people.persons().findByEmail(value));
        ALL.put("existsByEmail", (people, value) -> people.persons().existsByEmail(value));
        ALL.put("countByEmail", (people, value) -> people.persons().countByEmail(value));
        ALL.put("findByEmailIgnoreCase", (people, value) -> people.persons().findByEmailIgnoreCase(value));
        ALL.put("existsByEmailIgnoreCase", (people, value) -> people.persons().existsByEmailIgnoreCase(value));
        ALL.put("findByLogin", (people, value) -> people.persons().findByLogin(value));
        ALL.put("findByLoginAndActiveTrue", (people, value) -> people.persons().findByLoginAndActiveTrue(value));
        ALL.put(
                "findNamedByLogin",
                (people, value) -> people.persons().findNamedByLogin(value).map(PersonRepository.Named::getName));
        ALL.put("findPageByLogin", (people, value) -> people.persons()
                .findPageByLogin(value, PageRequest.of(0, 1, Sort.by("id")))
                .getContent());
        ALL.put("findByBadge", (people, value) -> people.persons().findByBadgeOrderByName(value.length() % 5));
    }

    private static void declared() {
        ALL.put("nameOf", (people, value) -> people.persons().nameOf(value));
        ALL.put("essaysOf", (people, value) -> people.persons().essaysOf(value));
        hql("from Person p where p.login = :v");
        hql("from Person p where upper(p.email) = upper(:v) and p.name <> 'x'");
        hql("select p.id from Person p where p.email = lower(:v)");
        hql("select p.name from Person p left join Essay e on e.author = p where p.login = :v order by e.id");
        hql("select count(p), max(p.badge) from Person p where p.login = :v group by p.id having count(p) > 0");
        hql("select e.slug from Essay e where e.author.login = :v order by e.slug");
        hql("select p.login from Person p where p.login = :v and exists (select 1 from Essay e where e.author = p)");
        hql("select p.login, q.name from Person p, Person q where p.login = :v and q = p");
    }

    private static void hql(String text) {
        ALL.put(text, (people, value) -> people.entities()
                .createQuery(text, Object.class)
                .setParameter("v", value)
                .getResultList());
    }

    private static void built() {
        ALL.put("a constant", (people, value) -> people.entities()
                .createQuery("from Person p where p.login = '" + value.replace("'", "''") + "'", Person.class)
                .getResultList());
        ALL.put("Specification", (people, value) -> people.persons()
                .findAll((person, query, builder) -> builder.and(
                        builder.equal(builder.lower(person.get("email")), value.toLowerCase(Locale.ROOT)),
                        builder.isNotNull(person.get("name")))));
        ALL.put("Specification.count", (people, value) -> people.persons()
                .count((person, query, builder) -> builder.equal(person.get("login"), value)));
        ALL.put("Query by Example", (people, value) -> people.persons()
                .findOne(Example.of(
                        new Person(null, value, null, null, ""),
                        ExampleMatcher.matching().withIgnorePaths("name", "active"))));
        ALL.put("Query by Example, ignoring case", (people, value) -> people.persons()
                .exists(Example.of(
                        new Person(null, "", value, null, ""),
                        ExampleMatcher.matching()
                                .withIgnorePaths("login", "name", "active")
                                .withIgnoreCase())));
        ALL.put("Criteria", (people, value) -> {
            var builder = people.entities().getCriteriaBuilder();
            var query = builder.createQuery(String.class);
            var person = query.from(Person.class);
            query.select(person.get("name")).where(builder.equal(person.get("email"), value));
            return people.entities().createQuery(query).getResultList();
        });
    }

    private static void essays() {
        ALL.put("findBySiteAndSlug", (people, value) -> people.essays().findBySiteAndSlug("site", value));
        ALL.put("existsBySlugAndSiteAndAuthorName", (people, value) -> people.essays()
                .existsBySlugAndSiteAndAuthorName(value, "site", "name " + value));
        ALL.put("findByAuthorLogin", (people, value) -> people.essays().findByAuthorLoginOrderById(value));
        hql("select e.id from Essay e where (e.site, e.slug) = ('site', :v)");
    }

    /** The result of a finder as a text; an array as a list. */
    static String find(String name, People people, String value) {
        Object found = java.util.Objects.requireNonNull(ALL.get(name)).apply(people, value);
        return found instanceof List<?> rows
                ? rows.stream()
                        .map(row -> row instanceof Object[] items ? Arrays.toString(items) : String.valueOf(row))
                        .collect(Collectors.joining("; "))
                : String.valueOf(found);
    }
}
