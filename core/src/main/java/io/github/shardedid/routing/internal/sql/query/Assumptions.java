package io.github.shardedid.routing.internal.sql.query;

import static java.util.stream.Collectors.joining;

import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a query was checked by, which each execution verifies: the columns and the kind of its tables, and which functions there are of
 * its functions' names. The server reads the condition on the tables again whenever one of them has changed. Immutable, and equal to
 * itself only.
 */
public final class Assumptions {
    /** Not of PostgreSQL's own. */
    static final String FUNCTION =
            "pg_catalog.array_agg(distinct pg_catalog.concat(p.proname, ' ', p.provolatile, p.prokind, p.proretset))"
                    + " filter (where p.pronamespace <> 'pg_catalog'::pg_catalog.regnamespace)";

    private final Map<TableName, TableColumns.Uses> tables;
    private final Set<String> functions;
    private final SqlAnalysis condition;
    private final int plans;

    public Assumptions(Map<TableName, TableColumns.Uses> tables, Set<String> functions, Catalogue catalogue) {
        this.tables = new TreeMap<>(tables);
        this.functions = new TreeSet<>(functions);
        this.plans = catalogue.plans();
        List<String> conditions = new ArrayList<>();
        this.tables.forEach((name, uses) -> {
            TableColumns columns = catalogue.tables().get(name);
            if (columns != null) {
                conditions.add(columns.check(name, uses));
            }
        });
        this.condition = SqlAnalysis.of(String.join(" and ", conditions));
    }

    Map<TableName, TableColumns.Uses> tables() {
        return tables;
    }

    /** Returns the names of functions that are to be the same ones as before. */
    public Set<String> functions() {
        return functions;
    }

    /** Returns a column with the functions, if any matter. */
    public String column() {
        if (functions.isEmpty()) {
            return "";
        }
        String names = functions.stream()
                .map(name -> "'" + name.replace("'", "''") + "'")
                .collect(joining(","));
        return ", (select " + FUNCTION + " from pg_catalog.pg_proc p where p.proname = any (array[" + names + "]))";
    }

    /** Returns a condition on the tables of some schemas, which is true. */
    public String condition(List<String> schemas) {
        String tables = condition.namesSchema()
                ? schemas.stream().map(condition::inSchema).collect(joining(" and ", " where true or (", ")"))
                : "";
        return tables + (plans == 0 ? "" : " /* " + plans + " */");
    }
}
