package io.github.shardedid.spring.id;

/** Form of ids for clients. */
public enum IdForm {
    /** The decimal number, as text: {@code "241294492511762325"}. */
    DECIMAL,

    /** The short text form of links: {@code "NZQBAAa_eV"}. */
    SHORT_TEXT,

    /** A number, as Jackson writes a {@code Long}; JavaScript rounds it. */
    NUMBER
}
