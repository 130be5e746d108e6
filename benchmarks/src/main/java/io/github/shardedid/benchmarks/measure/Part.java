package io.github.shardedid.benchmarks.measure;

/**
 * A part of the benchmarks, whose figures are a file of tables.
 *
 * @param name the name in the system property and of the file
 * @param measured the measurement
 */
public record Part(String name, Measured measured) {
    /** Measures a job, and notes the figures. */
    @FunctionalInterface
    public interface Measured {
        void measure(Extent extent, Section section) throws Exception;
    }

    /** Measures it. */
    public Section measure(Extent extent) throws Exception {
        Section section = new Section(name);
        measured.measure(extent, section);
        return section;
    }
}
