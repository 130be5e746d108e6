package io.github.shardedid.spring.id;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.MalformedIdException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads and writes ids in the form for clients. Immutable and safe for use by several threads. */
public final class IdText {
    private static final Pattern DECIMAL = Pattern.compile("[0-9]+");
    private static final Pattern SIGNED = Pattern.compile("-?[0-9]+");
    /** Words that clients send by mistake in place of a missing id. As short texts, they are ids that no cluster has generated. */
    private static final Set<String> WORDS = Set.of(
            "undefined", "null", "nan", "infinity", "-infinity", "true", "false", "none", "nil", "object", "-1", "-0");

    private static final int MAX_SHOWN = 40;

    private final IdLayout layout;
    private final IdForm form;

    /**
     * Creates the text form of the ids of a cluster.
     *
     * @param layout the layout of the ids
     * @param form the form in which ids are written; also decides between the forms if a text is valid in both
     */
    public IdText(IdLayout layout, IdForm form) {
        this.layout = layout;
        this.form = form;
    }

    /**
     * Writes an id.
     *
     * @param id an id of the layout
     * @return the short text form if that is the form, otherwise the decimal number
     * @throws MalformedIdException if the form is the short text and the number is no id
     */
    public String print(long id) {
        return form == IdForm.SHORT_TEXT ? layout.toText(id) : Long.toString(id);
    }

    /**
     * Reads an id in either form. Words such as {@code undefined}, {@code null} and {@code NaN}, in any case, are refused,
     * although they could be short texts.
     *
     * @param text the decimal number, in ASCII digits without a sign, or the short text form. Digits alone are a decimal number,
     *     unless ids are written as short texts and there are at most 11 digits (6 in a layout of 32 bits)
     * @return the id; there may be no such row
     * @throws MalformedIdException if it is neither; the message describes valid ids
     */
    public long parse(String text) {
        return parse(text, void.class);
    }

    /**
     * Reads an id in either form. A failure names the entity.
     *
     * @param text as in {@link #parse(String)}
     * @param entity whose id it is; {@code void.class} if that is not known
     * @return the id
     * @throws MalformedIdException if it is neither; the message describes valid ids
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
     * Reads an id in the form in which ids are written. In contrast to {@link #parse(String)}, a word is refused if ids are written
     * as decimal numbers.
     *
     * @param text a text from {@link #print(long)}; or a decimal number with more digits than a short text
     * @param entity whose id it is; {@code void.class} if that is not known
     * @return the id
     * @throws MalformedIdException if it is no id; the message describes valid ids
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
     * @throws MalformedIdException if it is no id; the message describes valid ids
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
        String shown = value.length() <= MAX_SHOWN ? value : value.substring(0, MAX_SHOWN) + "…";
        return new MalformedIdException("\"" + shown + "\" is no id" + of + ": that is a whole number from 0 to "
                + layout.maxId() + otherForm + ". Send ids as text, since JavaScript rounds large numbers.");
    }
}
