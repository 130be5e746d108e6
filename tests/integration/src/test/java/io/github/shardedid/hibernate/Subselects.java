package io.github.shardedid.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.hibernate.annotations.Immutable;
import org.hibernate.annotations.Subselect;
import org.hibernate.annotations.Synchronize;
import org.jspecify.annotations.Nullable;

/** Entities whose rows are those of a query. */
final class Subselects {
    private Subselects() {}

    @Entity(name = "MemberLine")
    @Immutable
    @Subselect("select m.id as id, upper(m.name) as name from {h-schema}member m")
    @Synchronize("member")
    static class MemberLine {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @Nullable
        String name;
    }

    /** The path leads to the tables that the text does not qualify. */
    @Entity(name = "UnqualifiedLine")
    @Immutable
    @Subselect("select m.id as id, (select count(*) from member o) as members from member m")
    static class UnqualifiedLine {
        @Id
        @ShardedId
        @Nullable
        Long id;

        long members;
    }

    @Entity(name = "CountryLine")
    @Immutable
    @GlobalEntity
    @Subselect("select c.code as code, '{h-schema}' || c.name as name from {h-schema}country c join {h-schema}country d"
            + " on d.code = c.code")
    @Synchronize("country")
    static class CountryLine {
        @Id
        @Nullable
        String code;

        @Nullable
        String name;
    }

    @Entity(name = "Unannotated")
    @Immutable
    @Subselect("select m.id as id from {h-schema}member m")
    static class Unannotated {
        @Id
        long id;
    }

    @Entity(name = "GlobalWithoutSchema")
    @Immutable
    @GlobalEntity
    @Subselect("select c.code as code from country c")
    static class GlobalWithoutSchema {
        @Id
        @Nullable
        String code;
    }

    @Entity(name = "OfCatalog")
    @Table(name = "country", catalog = "elsewhere")
    static class OfCatalog {
        @Id
        @Nullable
        String code;
    }

    @Entity(name = "OfSchema")
    @Table(name = "country", schema = "elsewhere")
    static class OfSchema {
        @Id
        @Nullable
        String code;
    }
}
