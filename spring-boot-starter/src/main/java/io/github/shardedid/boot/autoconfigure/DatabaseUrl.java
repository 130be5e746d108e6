package io.github.shardedid.boot.autoconfigure;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * A JDBC URL of the PostgreSQL driver, or of one that wraps it, without its user and password, as the driver and the pool log URLs. Refuses URLs that the
 * driver could not parse, with messages that do not show them. {@code toString()} shows no value.
 *
 * @param plain the URL without user and password
 * @param username null if the URL has none
 * @param password null if the URL has none
 */
record DatabaseUrl(String plain, @Nullable String username, @Nullable String password) {
    private static final String BEGIN = "jdbc:postgresql:";

    private static final Pattern HOST = Pattern.compile("(?:[\\w.%-]*|\\[[0-9A-Fa-f:.%\\w]+])(?::(?<port>\\d{1,5}))?");
    private static final Pattern DATABASE = Pattern.compile("[^?&=;@:/\\s]*");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9._-]*");
    private static final int MAX_PORT = 65_535;

    /** Parses a URL. Messages of failures name the property. */
    static DatabaseUrl of(String property, @Nullable String url) {
        if (!StringUtils.hasText(url)) {
            throw new ShardedIdPropertiesException(property
                    + " is not set, and no ShardedConnectionDetails knows the database. Set it to the database's URL, "
                    + BEGIN + "//host/database.");
        }
        String ofDriver = PoolEncryption.ofDriver(url);
        if (!ofDriver.startsWith(BEGIN)) {
            throw new ShardedIdPropertiesException(property + " does not begin with " + BEGIN
                    + ". The databases of a cluster are PostgreSQL; write " + BEGIN + "//host/database.");
        }
        int question = url.indexOf('?');
        String address = question < 0 ? url : url.substring(0, question);
        checkAddress(property, address.substring(BEGIN.length() + url.length() - ofDriver.length()));
        return question < 0
                ? new DatabaseUrl(url, null, null)
                : parameters(property, address, url.substring(question + 1));
    }

    /** The URL without user and password, encrypted as connections by another URL are, unless it says itself how. */
    String encryptedAs(DatabaseUrl other) {
        Map<String, String> own = encryption();
        Map<String, String> others = other.encryption();
        if (own.containsKey(PoolEncryption.MODE)
                || own.containsKey(PoolEncryption.SSL)
                || PoolEncryption.mode(other.plain, new Properties()) == null) {
            return plain;
        }
        others.keySet().removeAll(own.keySet());
        return others.isEmpty()
                ? plain
                : plain + (plain.indexOf('?') < 0 ? "?" : "&") + String.join("&", others.values());
    }

    /** Parameters with their values, by their names. */
    private Map<String, String> encryption() {
        Map<String, String> found = new LinkedHashMap<>();
        for (String parameter : plain.substring(plain.indexOf('?') + 1).split("&", -1)) {
            String name = parameter.replaceFirst("=.*", "");
            if (plain.indexOf('?') >= 0 && (name.startsWith("ssl") || name.equals("channelBinding"))) {
                found.put(name, parameter);
            }
        }
        return found;
    }

    private static void checkAddress(String property, String address) {
        if (address.contains("@")) {
            throw invalid(
                    property,
                    "it has a user or password before the host, which the PostgreSQL driver does not support."
                            + " Set the properties username and password");
        }
        String database = address;
        if (address.startsWith("//")) {
            int slash = address.indexOf('/', 2);
            String hosts = slash < 0 ? address.substring(2) : address.substring(2, slash);
            for (String host : hosts.split(",", -1)) {
                Matcher matcher = HOST.matcher(host);
                if (!matcher.matches() || (matcher.group("port") != null && !isPort(matcher.group("port")))) {
                    throw invalid(property, "a host or port in it is invalid");
                }
            }
            database = slash < 0 ? "" : address.substring(slash + 1);
        } else if (address.startsWith("/")) {
            database = address.substring(1);
        }
        if (!DATABASE.matcher(database).matches()) {
            throw invalid(
                    property,
                    "the name of the database in it is invalid. Begin parameters with a ?, and percent-encode special"
                            + " characters");
        }
    }

    private static boolean isPort(String port) {
        int number = Integer.parseInt(port);
        return number > 0 && number <= MAX_PORT;
    }

    private static DatabaseUrl parameters(String property, String address, String query) {
        List<String> others = new ArrayList<>();
        String username = null;
        String password = null;
        for (String parameter : query.split("&", -1)) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            if (!parameter.isEmpty() && !NAME.matcher(name).matches()) {
                throw invalid(property, "a parameter in it has no name. Write ?name=value&name=value");
            }
            String value = equals < 0 ? "" : decoded(property, name, parameter.substring(equals + 1));
            if (name.equals("user")) {
                username = value;
            } else if (name.equals("password")) {
                password = value;
            } else if (!parameter.isEmpty()) {
                others.add(parameter);
            }
        }
        String plain = others.isEmpty() ? address : address + "?" + String.join("&", others);
        return new DatabaseUrl(plain, username, password);
    }

    private static String decoded(String property, String name, String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            // Without the cause, whose message contains the value.
            throw invalid(property, "the value of its parameter " + name + " is not percent-encoded");
        }
    }

    private static ShardedIdPropertiesException invalid(String property, String why) {
        return new ShardedIdPropertiesException(
                property + " is invalid: " + why + ". Write " + BEGIN + "//host:port/database?parameter=value.");
    }

    @Override
    public String toString() {
        return "DatabaseUrl";
    }
}
