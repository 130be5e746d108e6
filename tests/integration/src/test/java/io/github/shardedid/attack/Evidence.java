package io.github.shardedid.attack;

import io.github.shardedid.test.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is known of one place after an attack.
 *
 * @param handed what the journals say was handed out
 * @param committed what they say was committed
 * @param rows what the table holds
 * @param disorders per journal that does not grow, one line
 */
record Evidence(PackedIds handed, PackedIds committed, PackedIds rows, List<String> disorders) {
    private static final int FETCH = 20_000;

    /** Something that was asked for, handed out and then written down, or a row that nobody has noted. */
    record Sighting(long id, int writer, long asked, long millis, boolean row) {}

    static Evidence of(Place place, Path directory, TestDatabase home, Set<Maker> ordered) {
        Evidence evidence = new Evidence(new PackedIds(), new PackedIds(), new PackedIds(), new ArrayList<>());
        for (JournalName journal : journals(directory, place)) {
            evidence.read(journal, directory, ordered.contains(journal.maker()));
        }
        evidence.readTable(place, home);
        evidence.handed.sort();
        evidence.committed.sort();
        evidence.rows.sort();
        return evidence;
    }

    private static List<JournalName> journals(Path directory, Place place) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(JournalName::matches)
                    .map(JournalName::parse)
                    .filter(name -> name.place().equals(place))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A record that was cut off when its writer was killed was never used. */
    private static ByteBuffer records(Path directory, JournalName journal) {
        try {
            ByteBuffer records = ByteBuffer.wrap(Files.readAllBytes(directory.resolve(journal.toString())));
            return records.limit(records.limit() / Journal.RECORD * Journal.RECORD);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read(JournalName journal, Path directory, boolean ordered) {
        ByteBuffer records = records(directory, journal);
        long last = -1;
        while (records.hasRemaining()) {
            long id = records.getLong();
            if (Journal.kind(records.getLong()) == Journal.COMMITTED) {
                committed.add(id, journal.writer());
            } else {
                handed.add(id, journal.writer());
                if (ordered && id <= last) {
                    disorders.add(journal + ": " + id + " after " + last);
                }
                last = id;
            }
        }
    }

    private void readTable(Place place, TestDatabase home) {
        try (Connection connection = home.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.setFetchSize(FETCH);
            try (ResultSet row = statement.executeQuery("SELECT id, writer FROM " + place.qualified())) {
                while (row.next()) {
                    rows.add(row.getLong(1), row.getInt(2));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(place.toString(), e);
        }
    }

    /** Everything that is known of some ids; rows are named if their writer has not noted them. */
    List<Sighting> sightings(Set<Long> ids, Place place, Path directory, TestDatabase home) {
        List<Sighting> sightings = new ArrayList<>();
        for (JournalName journal : journals(directory, place)) {
            ByteBuffer records = records(directory, journal);
            while (records.hasRemaining()) {
                long id = records.getLong();
                long meta = records.getLong();
                if (ids.contains(id) && Journal.kind(meta) == Journal.HANDED) {
                    sightings.add(new Sighting(id, journal.writer(), Journal.asked(meta), Journal.millis(meta), false));
                }
            }
        }
        String list = ids.stream().map(String::valueOf).collect(Collectors.joining(", "));
        home.query("SELECT id || ' ' || writer || ' ' || floor(extract(epoch FROM made) * 1000)::bigint FROM "
                        + place.qualified() + " WHERE id IN (" + list + ")")
                .forEach(row -> {
                    List<String> columns = List.of(row.split(" ", -1));
                    long id = Long.parseLong(columns.get(0));
                    int writer = Integer.parseInt(columns.get(1));
                    if (!handed.contains(PackedIds.pack(id, writer))) {
                        long made = Long.parseLong(columns.get(2));
                        sightings.add(new Sighting(id, writer, made, made, true));
                    }
                });
        return sightings;
    }
}
