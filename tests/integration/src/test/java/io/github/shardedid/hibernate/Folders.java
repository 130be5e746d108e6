package io.github.shardedid.hibernate;

import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.JoinTable;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MapKeyJoinColumn;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.annotations.Any;
import org.hibernate.annotations.AnyDiscriminatorValue;
import org.hibernate.annotations.AnyKeyJavaClass;
import org.hibernate.annotations.JoinFormula;
import org.jspecify.annotations.Nullable;

/** A folder refers to labels in every way that there is. */
final class Folders {
    private Folders() {}

    static final Class<?>[] ENTITIES = {Label.class, Folder.class, Sheet.class};

    /** In each shard. */
    static final String TABLES =
            """
            CREATE SEQUENCE label_id_seq MINVALUE 0;
            CREATE TABLE label (id bigint PRIMARY KEY);
            CREATE SEQUENCE sheet_id_seq MINVALUE 0;
            CREATE TABLE sheet (id bigint PRIMARY KEY, folder_id bigint, label_id bigint);
            CREATE SEQUENCE folder_id_seq MINVALUE 0;
            CREATE TABLE folder (id bigint PRIMARY KEY, title text, main_id bigint, inner_main_id bigint);
            CREATE TABLE folder_marks (folder_id bigint, note text, label_id bigint, first_id bigint);
            CREATE TABLE folder_counts (folder_id bigint, label_id bigint, counts int);
            CREATE TABLE folder_marked (folder_id bigint, first_id bigint, marked text);
            CREATE TABLE folder_values (folder_id bigint, name text, note text, label_id bigint, first_id bigint);
            CREATE TABLE folder_label (folder_id bigint, labels_id bigint);
            CREATE TABLE folder_pairs (folder_id bigint, one_id bigint, two_id bigint);
            CREATE TABLE folder_boxed_marks (folder_id bigint, note text, label_id bigint, first_id bigint);
            CREATE TABLE folder_numbers (folder_id bigint, numbers bigint);
            """;

    @Entity(name = "Label")
    static class Label {
        @Id
        @ShardedId
        @Nullable
        Long id;
    }

    @Embeddable
    static class First {
        @ManyToOne
        @JoinColumn(name = "first_id")
        @Nullable
        Label first;
    }

    @Embeddable
    static class Mark {
        @Nullable
        String note;

        @ManyToOne
        @JoinColumn(name = "label_id")
        @Nullable
        Label label;

        @Embedded
        First nested = new First();

        static Mark of(@Nullable Label label, @Nullable Label first) {
            Mark made = new Mark();
            made.label = label;
            made.nested.first = first;
            return made;
        }
    }

    @Embeddable
    static class Box {
        @ManyToOne
        @JoinColumn(name = "inner_main_id")
        @Nullable
        Label main;

        @ElementCollection
        @jakarta.persistence.CollectionTable(name = "folder_boxed_marks", joinColumns = @JoinColumn(name = "folder_id"))
        List<Mark> marks = new ArrayList<>();
    }

    /** The inverse map's key is a column of its own. */
    @Entity(name = "Sheet")
    static class Sheet {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ManyToOne
        @ShardKey
        @JoinColumn(name = "folder_id")
        @Nullable
        Folder folder;

        @ManyToOne
        @JoinFormula("label_id")
        @Nullable
        Label computed;
    }

    @Entity(name = "OfAny")
    static class OfAny {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @Any
        @AnyKeyJavaClass(Long.class)
        @AnyDiscriminatorValue(discriminator = "label", entity = Label.class)
        @Column(name = "any_kind")
        @JoinColumn(name = "any_id")
        @Nullable
        Object any;
    }

    @Entity(name = "Folder")
    static class Folder {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @Nullable
        String title;

        @ManyToOne
        @JoinColumn(name = "main_id")
        @Nullable
        Label main;

        @Embedded
        Box box = new Box();

        @ElementCollection
        List<Mark> marks = new ArrayList<>();

        @ElementCollection
        @MapKeyJoinColumn(name = "label_id")
        Map<Label, Integer> counts = new HashMap<>();

        @ElementCollection
        Map<First, String> marked = new HashMap<>();

        @ElementCollection
        @jakarta.persistence.MapKeyColumn(name = "name")
        Map<String, Mark> values = new HashMap<>();

        @ManyToMany
        Set<Label> labels = new HashSet<>();

        @ManyToMany
        @JoinTable(
                name = "folder_pairs",
                joinColumns = @JoinColumn(name = "folder_id"),
                inverseJoinColumns = @JoinColumn(name = "two_id"))
        @MapKeyJoinColumn(name = "one_id")
        Map<Label, Label> pairs = new HashMap<>();

        @OneToMany(mappedBy = "folder")
        @MapKeyJoinColumn(name = "label_id")
        Map<Label, Sheet> sheets = new HashMap<>();

        @ElementCollection
        List<Long> numbers = new ArrayList<>();
    }
}
