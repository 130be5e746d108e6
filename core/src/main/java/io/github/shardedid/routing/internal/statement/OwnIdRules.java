package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.MisplacedIdException;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.connection.Route;
import io.github.shardedid.routing.internal.sql.ids.ColocatedColumns;
import io.github.shardedid.routing.internal.sql.ids.WrittenIds;
import io.github.shardedid.routing.internal.sql.ids.WrittenNumber;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.target.Databases;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.Types;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbc.PgResultSetMetaData;
import org.postgresql.util.PGobject;

/** Refuses to write an id of another shard into a column that holds ids of the row's own shard. No database is touched. */
record OwnIdRules(Databases databases, ColocatedColumns columns) {
    /** Types that leave an integer as it is. */
    private static final Set<Integer> TYPES = Set.of(
            Types.BIGINT,
            Types.INTEGER,
            Types.SMALLINT,
            Types.NUMERIC,
            Types.DECIMAL,
            Types.VARCHAR,
            Types.CHAR,
            Types.LONGVARCHAR,
            Types.OTHER);

    private static final Set<String> OBJECT_TYPES =
            Set.of("int2", "int4", "int8", "smallint", "integer", "bigint", "numeric", "text", "varchar", "unknown");

    /** Refuses what the text itself writes, and what cannot be read from it. */
    void check(String sql, WrittenIds ids, Target.Single target) {
        if (ids.haveNoneInText() || !(target instanceof Target.Shard shard)) {
            return;
        }
        for (WrittenIds.Literal literal : ids.literals()) {
            require(sql, literal.column(), literal.value(), shard);
        }
        for (WrittenIds.Unreadable unreadable : ids.unreadable()) {
            throw unreadable(sql, unreadable.column(), unreadable.reason(), shard);
        }
    }

    /** Refuses a parameter; {@code arguments} are those of a setter. */
    void checkParameter(Route route, @Nullable Object @Nullable [] arguments) {
        WrittenIds ids = route.analysis().ids();
        if (!ids.parameters().isEmpty()
                && arguments != null
                && arguments.length > 1
                && arguments[0] instanceof Integer parameter) {
            String column = ids.columnOf(parameter);
            if (column != null) {
                checkValue(route, column, arguments);
            }
        }
    }

    /** Refuses a value that an updatable result is given; {@code arguments} are those of its method. */
    void checkUpdate(Route route, ResultSet rows, @Nullable Object[] arguments) throws SQLException {
        if (columns.areNone() || !(route.target() instanceof Target.Shard)) {
            return;
        }
        int index = arguments[0] instanceof String label
                ? rows.findColumn(label)
                : ((Number) nonNull(arguments)).intValue();
        ResultSetMetaData data = rows.getMetaData();
        PgResultSetMetaData driver =
                data.isWrapperFor(PgResultSetMetaData.class) ? data.unwrap(PgResultSetMetaData.class) : null;
        String base = driver == null ? "" : driver.getBaseColumnName(index);
        String table = driver == null ? "" : driver.getBaseTableName(index);
        String column = base.isEmpty() ? data.getColumnName(index) : base;
        if (table.isEmpty() ? columns.contain(column) : columns.of(table).contains(column)) {
            checkValue(route, table.isEmpty() ? column : table + "." + column, arguments);
        }
    }

    private static Object nonNull(@Nullable Object[] arguments) {
        if (!(arguments[0] instanceof Number number)) {
            throw new IllegalArgumentException("The number or the label of a column is needed.");
        }
        return number;
    }

    /** The usual case comes first: no text or number is made for it. */
    private void checkValue(Route route, String column, @Nullable Object[] arguments) {
        Object value = arguments[1];
        boolean none = value == null || (value instanceof PGobject object && object.isNull());
        if (value == null || none || !(route.target() instanceof Target.Shard shard)) {
            return;
        }
        boolean converted = arguments.length > 2 && changes(arguments);
        if (value instanceof Long id && !converted && isOf(id, shard.number())) {
            return;
        }
        BigInteger number = converted ? null : exact(value);
        if (number != null) {
            require(route.sql(), column, number, shard);
        } else if (converted || !(value instanceof String text) || WrittenNumber.isPossible(text)) {
            throw unreadable(
                    route.sql(),
                    column,
                    "a parameter of " + value.getClass().getName()
                            + (converted ? ", converted to another type," : "")
                            + " cannot be read as an integer",
                    shard);
        }
    }

    /** Whether the driver may make another number of the value: by a type, a scale, or a length. */
    private static boolean changes(@Nullable Object[] arguments) {
        Integer type = arguments[2] instanceof SQLType named
                ? named.getVendorTypeNumber()
                : arguments[2] instanceof Integer number ? number : null;
        boolean scaled = arguments.length > 3 && !Integer.valueOf(0).equals(arguments[3]);
        return type == null || !TYPES.contains(type) || scaled;
    }

    private static @Nullable BigInteger exact(Object value) {
        if (value instanceof Long || value instanceof Integer || value instanceof Short) {
            return BigInteger.valueOf(((Number) value).longValue());
        } else if (value.getClass() == BigInteger.class) {
            return (BigInteger) value;
        } else if (value.getClass() == BigDecimal.class) {
            return WrittenNumber.exact((BigDecimal) value);
        } else if (value instanceof String text) {
            return WrittenNumber.exact(text);
        } else if (value.getClass() == PGobject.class) {
            PGobject object = (PGobject) value;
            String text = object.getValue();
            return text != null && OBJECT_TYPES.contains(object.getType()) ? WrittenNumber.exact(text) : null;
        }
        return null;
    }

    private void require(String sql, String column, BigInteger value, Target.Shard shard) {
        if (value.bitLength() > 63) {
            return; // No column of ids has room for it.
        }
        long id = value.longValue();
        if (!isOf(id, shard.number())) {
            throw new MisplacedIdException("The value " + value + " for " + column + " is an id of " + whose(id)
                    + ", but the statement is routed to " + shard
                    + ", where no lookup by that id finds the row: "
                    + SqlText.brief(sql)
                    + ". Nothing was sent. Write the row in the scope of the shard that its id names: ShardContext.run(shard, …)."
                    + " If it is the id of another row that this one refers to, both must be in one shard, or the association"
                    + " needs @ForeignShard.");
        }
    }

    private static MisplacedIdException unreadable(String sql, String column, String reason, Target.Shard shard) {
        return new MisplacedIdException("The value for " + column + " cannot be checked: " + reason
                + ". The statement is routed to " + shard + ", and might write an id of another shard there: "
                + SqlText.brief(sql)
                + ". Nothing was sent. Name the columns of the table, and give the id as a plain parameter or number,"
                + " in the scope of its shard: ShardContext.run(shard, …).");
    }

    private boolean isOf(long id, int shard) {
        return databases.cluster().canHaveMade(id) && databases.cluster().shardOf(id) == shard;
    }

    private String whose(long id) {
        return databases.cluster().canHaveMade(id)
                ? "shard " + databases.cluster().shardOf(id)
                : "no shard";
    }
}
