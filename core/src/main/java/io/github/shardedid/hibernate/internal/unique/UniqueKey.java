package io.github.shardedid.hibernate.internal.unique;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.mapping.UniqueAttributes;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.topology.ShardKeys;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.ModelPart;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Attributes of one entity whose combination is unique over all shards, and the text that is claimed for their values. Immutable.
 *
 * <p>The text is computed in Java alone, as the shard of a claim is its hash: a rule of a collation, which differs between servers and
 * their releases, could send equal values to two shards. It is part of the data format, since claims are compared for years:
 *
 * <ol>
 *   <li>Each attribute gives the values of its columns, as they are stored: converted, or the id of an association. One that is null makes
 *       the whole null.
 *   <li>Each value becomes its text: numbers in decimal, a UUID in its canonical form; a text without blanks at its end, which a column of type
 *       {@code char(n)} adds and one of type {@code varchar(n)} may cut off; with {@code ignoreCase} in lower case of the upper case of the lower
 *       case, before and after in normalization form C: texts with one lower or one upper case are equal, since queries compare either.
 *   <li>The text of a single column is claimed as it is. Several are joined, each after its length and a colon, so that no two combinations give
 *       the same text.
 *   <li>A text of more than {@value #LONGEST} characters, which might not fit into the index, and one that begins with {@code #}, is replaced by
 *       {@code #} and its SHA-256 hash.
 * </ol>
 */
public final class UniqueKey {
    private static final int LONGEST = 200;
    private static final String HASHED = "#";

    private final UniqueAttributes declared;
    private final List<Part> parts;
    private final String table;
    /** The column with the row's id, and those of the attributes. */
    private final List<String> selected;

    /**
     * One attribute.
     *
     * @param attribute the attribute of the entity, which is an embeddable if the path is longer
     * @param leaf the attribute at the end of the path
     * @param columns of the leaf
     */
    private record Part(AttributeMapping attribute, ModelPart leaf, List<String> columns) {
        boolean isConverted() {
            return leaf.getSingleJdbcMapping().getValueConverter() != null;
        }

        /** Returns whether an attribute gives no value: a converter may make one of null. */
        boolean isNull(@Nullable Object value) {
            return value == null && !isConverted();
        }
    }

    /** Whether an insert leaves out columns whose attributes are null, so that they get a default of the database. */
    private final boolean leavesOut;

    /**
     * A column of an attribute.
     *
     * @param table as SQL names it, like the name of the column
     * @param kind of values: text, folded, number, or uuid
     * @param isLeftOut whether an insert leaves it out if its attribute is null
     */
    record StoredColumn(UniqueKey key, String table, String name, String kind, boolean isLeftOut) {}

    UniqueKey(UniqueAttributes declared, EntityPersister persister) {
        this.leavesOut = persister.isDynamicInsert();
        this.declared = declared;
        this.parts =
                declared.paths().stream().map(path -> part(persister, path)).toList();
        Set<String> tables = new TreeSet<>();
        parts.forEach(
                part -> part.leaf.forEachSelectable((i, column) -> tables.add(column.getContainingTableExpression())));
        this.table = String.join(", ", tables);
        this.selected = Stream.concat(
                        Stream.of(declared.keyColumn()), parts.stream().flatMap(part -> part.columns.stream()))
                .toList();
    }

    private static Part part(EntityPersister persister, String path) {
        int dot = path.indexOf('.');
        AttributeMapping attribute = persister.findAttributeMapping(dot < 0 ? path : path.substring(0, dot));
        ModelPart leaf = persister.findByPath(path);
        if (attribute == null || leaf == null) {
            throw new IllegalStateException("Hibernate does not know the attribute " + path + ".");
        }
        List<String> columns = new ArrayList<>();
        leaf.forEachSelectable((i, column) -> columns.add(column.getSelectionExpression()));
        return new Part(attribute, leaf, List.copyOf(columns));
    }

    /** Returns the name of the claims, as stored. */
    public String name() {
        return declared.name();
    }

    /** Returns the name of the entity whose rows this object describes; a subclass has objects of its own. */
    public String entityName() {
        return declared.entityName();
    }

    /** Returns the paths of the attributes, in the order of {@link #textOf}. */
    public List<String> attributes() {
        return declared.paths();
    }

    public boolean ignoreCase() {
        return declared.ignoreCase();
    }

    /** Returns whether a column has another value than its attribute, so that a function in a query is given what no claim is made of. */
    public boolean isConverted() {
        return parts.stream().anyMatch(Part::isConverted);
    }

    /** Returns the columns of the attributes, each with its table as Hibernate names it. */
    public Set<String> columns() {
        Set<String> columns = new TreeSet<>();
        parts.forEach(part -> part.leaf.forEachSelectable((i, column) ->
                columns.add(column.getContainingTableExpression() + "." + column.getSelectionExpression())));
        return columns;
    }

    /** Returns the columns of the attributes, to be compared with the catalog. */
    Stream<StoredColumn> storedColumns() {
        List<StoredColumn> columns = new ArrayList<>();
        parts.forEach(part -> part.leaf.forEachSelectable((i, column) -> {
            Class<?> type = column.getJdbcMapping().getJdbcJavaType().getJavaTypeClass();
            String kind =
                    type == UUID.class ? "uuid" : type != String.class ? "number" : ignoreCase() ? "folded" : "text";
            columns.add(new StoredColumn(this, table, column.getSelectionExpression(), kind, leavesOut));
        }));
        return columns.stream();
    }

    /** Returns whether the rows are in a table, by its name as PostgreSQL stores it. */
    boolean isOf(String storedTable) {
        return declared.name().startsWith(storedTable + "(");
    }

    /** Returns the columns that {@link #claim} reads. */
    List<String> columnsOfClaim() {
        return selected;
    }

    /**
     * Reads a row.
     *
     * @param first the position of the first of its {@linkplain #columnsOfClaim() columns} in the result
     * @return null if it has no value
     */
    @Nullable
    Claim claim(ResultSet row, int first) throws SQLException {
        List<@Nullable String> values = new ArrayList<>();
        for (int i = 1; i < selected.size(); i++) {
            values.add(row.getString(first + i));
        }
        String text = text(values);
        return text == null ? null : new Claim(this, text, row.getLong(first));
    }

    /** Reads a row of {@link #rowsQuery}. */
    Claim stored(ResultSet row) throws SQLException {
        return Objects.requireNonNull(claim(row, 1));
    }

    /**
     * Returns the query for rows that have a value, in the order of their ids. It names the placeholder of the shard's schema.
     *
     * @param ofId another condition on the id, such as {@code > ?}
     */
    String rowsQuery(String ofId) {
        String id = declared.keyColumn();
        return "select " + String.join(", ", selected) + " from " + table + " where " + id + " " + ofId + " and "
                + haveValues() + " order by " + id;
    }

    /** Returns the query for whether a shard has a row with a value. */
    String anyQuery() {
        return "select 1 from " + table + " where " + haveValues() + " limit 1";
    }

    private String haveValues() {
        return String.join(" is not null and ", selected) + " is not null";
    }

    /** Returns whether an attribute of the key is among those at the given indexes of the entity's state. */
    public boolean isIn(int[] dirty) {
        return parts.stream()
                .anyMatch(part -> Arrays.stream(dirty).anyMatch(i -> i == part.attribute.getStateArrayPosition()));
    }

    /**
     * Returns the text that a row claims; null if an attribute is null, or was not fetched and so not changed either.
     *
     * @throws ShardedIdMappingException if a converter makes another value of an attribute each time, as some encryption does
     */
    public @Nullable String textOfState(@Nullable Object[] state, SharedSessionContractImplementor session) {
        String text = converted(state, session);
        if (text != null && isConverted() && !text.equals(converted(state, session))) {
            throw new ShardedIdMappingException(
                    this + " has @UniqueAcrossShards, but its value is converted to another value each time, as"
                            + " by an encryption with a salt, so that no two of them are equal. Convert equal values to equal ones, or claim an"
                            + " attribute with their hash. Nothing was sent.");
        }
        return text;
    }

    private @Nullable String converted(@Nullable Object[] state, SharedSessionContractImplementor session) {
        List<@Nullable Object> values = new ArrayList<>();
        for (Part part : parts) {
            Object value = state[part.attribute.getStateArrayPosition()];
            if (part.isNull(value) || value == LazyPropertyInitializer.UNFETCHED_PROPERTY) {
                return null;
            }
            // An embeddable is broken down as a whole, since Hibernate knows the way through it.
            Map<String, @Nullable Object> columns = new LinkedHashMap<>();
            part.attribute.breakDownJdbcValues(
                    value, (i, each, column) -> columns.put(column.getSelectionExpression(), each), session);
            part.columns.forEach(column -> values.add(columns.get(column)));
        }
        return text(values);
    }

    /**
     * Returns the text that is claimed for values of the attributes.
     *
     * @param values one for each attribute, as the application sets it: an entity or its id for an association
     * @return null if a value is null, so that nothing is claimed
     */
    public @Nullable String textOf(@Nullable Object[] values, SharedSessionContractImplementor session) {
        List<@Nullable Object> columns = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            Object value = values[i];
            if (parts.get(i).isNull(value)) {
                return null;
            }
            parts.get(i).leaf.breakDownJdbcValues(value, (index, each, column) -> columns.add(each), session);
        }
        return text(columns);
    }

    /** Returns the text of the values of all columns, which are numbers, UUIDs or texts; null if one is null. */
    @Nullable
    String text(List<? extends @Nullable Object> columns) {
        if (columns.stream().anyMatch(Objects::isNull)) {
            return null;
        }
        List<String> texts = columns.stream()
                .map(String::valueOf)
                .map(UniqueKey::withoutPadding)
                .map(value -> ignoreCase() ? folded(value) : value)
                .toList();
        String text = texts.size() == 1
                ? texts.get(0)
                : texts.stream().map(each -> each.length() + ":" + each).collect(Collectors.joining());
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            // It would be stored with a question mark instead, which is another value.
            throw NoShardException.ofValue(
                    "A value of " + this + " has half of a surrogate pair, which PostgreSQL cannot store."
                            + " Nothing was sent: set a valid text.");
        }
        return text.length() > LONGEST || text.startsWith(HASHED) ? HASHED + hash(text) : text;
    }

    private static String withoutPadding(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        return text.substring(0, end);
    }

    private static String folded(String text) {
        String lower = Normalizer.normalize(text, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
        return Normalizer.normalize(lower.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT), Normalizer.Form.NFC);
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This JDK does not provide SHA-256: " + System.getProperty("java.home"), e);
        }
    }

    /** Returns the shard that has the claim of a text: that of its hash, which is also the shard of a row whose shard key is the text. */
    public static int shardOf(String text, int keyShards) {
        return ShardKeys.shardOf(text, keyShards);
    }

    @Override
    public String toString() {
        return entityName() + "." + String.join(", ", attributes());
    }
}
