package io.github.shardedid.spring.id;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.MalformedIdException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads and writes ids as clients see them. Immutable and safe for use by several threads. */
public final class IdText {
    private static final Pattern DECIMAL = Pattern.compile("[0-9]+");
    private static final Pattern SIGNED = Pattern.compile("-?[0-9]+");
    /** What clients send by mistake for an id that they do not have. As short texts, they are ids that no cluster has made. */
    private static final Set<String> WORDS = Set.of(
            "undefined", "null", "nan", "infinity", "-infinity", "true", "false", "none", "nil", "object", "-1", "-0");

    private static final int LONGEST_TOLD = 40;

    private final IdLayout layout;
    private final IdForm form;

    /**
     * Creates the reader and writer of a cluster's ids.
     *
     * @param layout the ids' layout
     * @param form how they are written; also decides what a text is that could be either form
     */
    public IdText(IdLayout layout, IdForm form) {
        this.layout = layout;
        this.form = form;
    }

    /**
     * How ids are written.
     *
     * @return the form
     */
    public IdForm form() {
        return form;
    }

    /**
     * What {@link #print(long)} writes, for documents that clients read. Some texts of this kind are no ids: too large a number.
     *
     * @return a regular expression from begin to end
     */
    public String printedPattern() {
        return "^" + (form == IdForm.SHORT_TEXT ? shortText() : digits()) + "$";
    }

    /**
     * What {@link #parse(String)} reads, for documents that clients read. Some texts of this kind are no ids: too large a number.
     *
     * @return a regular expression from begin to end
     */
    public String parsedPattern() {
        return "^(" + digits() + "|" + shortText() + ")$";
    }

    private String digits() {
        return "[0-9]{1," + Long.toString(layout.maxId()).length() + "}";
    }

    private String shortText() {
        return "[A-Za-z0-9_-]{1," + longest().length() + "}";
    }

    /**
     * Writes an id.
     *
     * @param id an id of the layout
     * @return the short text form if that is the form, otherwise the decimal number
     * @throws MalformedIdException if the short text form is wanted of a number that is no id
     */
    public String print(long id) {
        return form == IdForm.SHORT_TEXT ? layout.toText(id) : Long.toString(id);
    }

    /**
     * Reads an id in either form. Words such as {@code undefined}, {@code null} and {@code NaN}, in any case, are no ids, although
     * their letters are those of short texts.
     *
     * @param text the decimal number, in ASCII digits without a sign, or the short text form. Digits alone are a decimal number,
     *     unless the short text is the form that is written and they are no more than its 11 characters (6 in a layout of 32 bits)
     * @return the id; whether there is such a row is another matter
     * @throws MalformedIdException if it is neither; the message says what would be
     */
    public long parse(String text) {
        return parse(text, void.class);
    }

    /**
     * Reads an id in either form, and names the entity if it is none.
     *
     * @param text as in {@link #parse(String)}
     * @param entity whose id it is; {@code void.class} if that is not known
     * @return the id
     * @throws MalformedIdException if it is neither; the message says what would be
     */
    public long parse(String text, Class<?> entity) {
        try {
            return isDecimal(text) ? decimal(text) : shortText(text);
        } catch (NumberFormatException | MalformedIdException e) {
            throw malformed(
                    text,
                    entity,
                    ", or its short text form, 1 to " + longest().length()
                            + " characters out of A-Z, a-z, 0-9, - and _ up to " + longest());
        }
    }

    /**
     * Reads an id in the form that is written. Other than with {@link #parse(String)}, a word is not taken for an id where
     * decimal numbers are written.
     *
     * @param text what {@link #print(long)} has written; or a decimal number of more digits than a short text has
     * @param entity whose id it is; {@code void.class} if that is not known
     * @return the id
     * @throws MalformedIdException if it is none; the message says what would be
     */
    public long parsePrinted(String text, Class<?> entity) {
        return form == IdForm.SHORT_TEXT ? parse(text, entity) : parseDecimal(text, entity);
    }

    /**
     * Reads an id that is a decimal number.
     *
     * @param digits the number
     * @param entity whose id it is; {@code void.class} if that is not known
     * @return the id
     * @throws MalformedIdException if it is none; the message says what would be
     */
    public long parseDecimal(String digits, Class<?> entity) {
        try {
            return decimal(digits);
        } catch (NumberFormatException | MalformedIdException e) {
            throw malformed(digits, entity, "");
        }
    }

    private long shortText(String text) {
        if (WORDS.contains(text.toLowerCase(Locale.ROOT))) {
            throw new MalformedIdException("\"" + text + "\" is a word.");
        }
        return layout.fromText(text);
    }

    private long decimal(String digits) {
        // Java also parses a plus sign, and the digits of other scripts.
        if (!DECIMAL.matcher(digits).matches()) {
            throw new MalformedIdException("\"" + digits + "\" is no decimal number.");
        }
        long id = Long.parseLong(digits);
        layout.shardOf(id);
        return id;
    }

    private boolean isDecimal(String text) {
        boolean couldBeText =
                form == IdForm.SHORT_TEXT && text.length() <= longest().length();
        return !couldBeText && SIGNED.matcher(text).matches();
    }

    private String longest() {
        return layout.toText(layout.maxId());
    }

    private MalformedIdException malformed(String value, Class<?> entity, String otherForm) {
        String of = entity == void.class ? "" : " of a " + entity.getSimpleName();
        String told = value.length() <= LONGEST_TOLD ? value : value.substring(0, LONGEST_TOLD) + "…";
        return new MalformedIdException("\"" + told + "\" is no id" + of + ": that is a whole number from 0 to "
                + layout.maxId() + otherForm + ". Send ids as text, since JavaScript rounds large numbers.");
    }
}
