package io.github.shardedid.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A certificate authority and what it has signed, made by {@code openssl}. All files are PEM unless their name says otherwise. */
public final class TestCertificates {
    private static final List<String> KEY =
            List.of("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-batch");

    private final Path directory;

    /** Creates an authority in a directory of its own. */
    public TestCertificates(Path directory) {
        this.directory = directory;
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> command = new ArrayList<>(List.of("req", "-x509", "-days", "30", "-subj", "/CN=ca of a test"));
        command.addAll(KEY);
        command.addAll(List.of("-keyout", "ca.key", "-out", "ca.crt"));
        openssl(command);
    }

    /** Whether the program is installed. */
    public static boolean areAvailable() {
        try {
            return new ProcessBuilder("openssl", "version")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** A certificate of a name, which is that of a host or a role, with its key: {@code name.crt} and {@code name.key}. */
    public TestCertificates sign(String name) {
        List<String> request = new ArrayList<>(List.of("req", "-subj", "/CN=" + name));
        request.addAll(KEY);
        request.addAll(List.of("-keyout", name + ".key", "-out", name + ".csr"));
        openssl(request);
        try {
            Files.writeString(directory.resolve(name + ".ext"), "subjectAltName=DNS:" + name + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        openssl(List.of(
                "x509",
                "-req",
                "-days",
                "30",
                "-in",
                name + ".csr",
                "-CA",
                "ca.crt",
                "-CAkey",
                "ca.key",
                "-CAcreateserial",
                "-out",
                name + ".crt",
                "-extfile",
                name + ".ext"));
        return this;
    }

    /** The key as the driver reads it without a password: PKCS 8 in DER, {@code name.pk8}. */
    public Path pkcs8(String name) {
        openssl(List.of("pkcs8", "-topk8", "-outform", "DER", "-nocrypt", "-in", name + ".key", "-out", name + ".pk8"));
        return file(name + ".pk8");
    }

    /** Certificate and key in a PKCS 12 archive, {@code name.p12}. */
    public Path pkcs12(String name, String password) {
        openssl(List.of(
                "pkcs12",
                "-export",
                "-in",
                name + ".crt",
                "-inkey",
                name + ".key",
                "-name",
                "user",
                "-out",
                name + ".p12",
                "-passout",
                "pass:" + password));
        return file(name + ".p12");
    }

    public Path file(String name) {
        return directory.resolve(name);
    }

    private void openssl(List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(arguments);
        try {
            Path log = directory.resolve("log");
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            if (process.waitFor() != 0) {
                throw new IllegalStateException(command + ": " + Files.readString(log));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
