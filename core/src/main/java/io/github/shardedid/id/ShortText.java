package io.github.shardedid.id;

/**
 * Encodes numbers in the URL-safe base64 alphabet of RFC 4648, section 5, as digits of base 64 with the most significant
 * first, as in Instagram's short links. Each number has exactly one text, so leading zeros ({@code A}) are refused.
 */
final class ShortText {
    private static final String DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final int LONGEST = 11;

    private ShortText() {}

    static String encode(long number) {
        char[] text = new char[LONGEST];
        int at = LONGEST;
        long rest = number;
        do {
            text[--at] = DIGITS.charAt((int) (rest & 63));
            rest >>>= 6;
        } while (rest != 0);
        return new String(text, at, LONGEST - at);
    }

    static long decode(String text) {
        if (text.isEmpty() || text.length() > LONGEST || (text.length() > 1 && text.charAt(0) == 'A')) {
            throw refused(text);
        }
        long number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = DIGITS.indexOf(text.charAt(i));
            if (digit < 0 || number > Long.MAX_VALUE >> 6) {
                throw refused(text);
            }
            number = number << 6 | digit;
        }
        return number;
    }

    private static MalformedIdException refused(String text) {
        return new MalformedIdException("\"" + text + "\" is not the text form of an id. It must have 1 to " + LONGEST
                + " characters of A-Z, a-z, 0-9, - and _, without leading A, and encode a number up to "
                + Long.MAX_VALUE
                + ".");
    }
}
