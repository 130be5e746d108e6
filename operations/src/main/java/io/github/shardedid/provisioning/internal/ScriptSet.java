package io.github.shardedid.provisioning.internal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The scripts of an application, reduced to text that can be stored and compared. The fingerprint tells in one comparison whether a shard
 * is up to date, so that a start without new scripts runs neither Flyway nor Liquibase in each of thousands of schemas. Immutable.
 *
 * @param fingerprint of all of them; empty if there are none
 * @param versioned one text for each versioned script, with its checksum
 */
public record ScriptSet(String fingerprint, List<String> versioned) {
    static final ScriptSet NONE = new ScriptSet("", List.of());

    /** Returns a set made of a text for each script, and for each versioned one, in any order. */
    public static ScriptSet of(Stream<String> all, Stream<String> versioned) {
        return new ScriptSet(hash(all.sorted()), versioned.sorted().toList());
    }

    /** Hashes lines to 64 hexadecimal digits. */
    public static String hash(Stream<String> lines) {
        try {
            byte[] text = lines.collect(Collectors.joining("\n")).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
