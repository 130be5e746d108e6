package io.github.shardedid.test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command of another JVM, of the JDK that runs the tests. */
public final class JavaCommand {
    private JavaCommand() {}

    /** With the class path of this JVM. It lives for seconds: the optimizing compiler would cost more than it gains. */
    public static List<String> of(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(List.of(arguments));
        return command;
    }
}
