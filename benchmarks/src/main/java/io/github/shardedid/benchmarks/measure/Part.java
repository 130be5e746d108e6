package io.github.shardedid.benchmarks.measure;

/**
 * A job that is measured, whose figures are a section of the page.
 *
 * @param name by which it is asked for, and the page's marks say where its figures go
 * @param measured what measures it
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
