package io.github.shardedid.routing.internal.sql.grammar;

import java.util.List;

/** What expressions have of the grammar of SELECTs. */
interface Subselects {
    /** Whether one comes next. */
    boolean begins();

    /** A SELECT up to where its parenthesis closes. */
    Select read();

    /** What follows ORDER BY. */
    List<Select.SortItem> sortItems();
}
