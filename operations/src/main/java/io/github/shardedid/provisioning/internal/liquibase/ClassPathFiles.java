package io.github.shardedid.provisioning.internal.liquibase;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.resource.Resource;
import liquibase.resource.URIResource;

/** Lists directories in an executable JAR of Spring Boot, too, whose JARs are nested: Liquibase cannot read their URLs. */
final class ClassPathFiles extends ClassLoaderResourceAccessor {
    private final ClassLoader loader;

    ClassPathFiles(ClassLoader loader) {
        super(loader);
        this.loader = loader;
    }

    @Override
    public List<Resource> search(String path, boolean recursive) throws IOException {
        SearchOptions options = new SearchOptions();
        options.setRecursive(recursive);
        return search(path, options);
    }

    @Override
    public List<Resource> search(String path, SearchOptions options) throws IOException {
        List<URL> directories = Collections.list(loader.getResources(path));
        if (directories.stream().noneMatch(url -> url.toExternalForm().startsWith("jar:nested:"))) {
            return super.search(path, options);
        }
        List<Resource> found = new ArrayList<>();
        for (URL directory : directories) {
            if (directory.openConnection() instanceof JarURLConnection jar) {
                addFiles(found, slash(path), slash(directory.toExternalForm()), jar, options);
            }
        }
        return found;
    }

    private static void addFiles(
            List<Resource> found, String path, String url, JarURLConnection jar, SearchOptions options)
            throws IOException {
        String directory = slash(jar.getEntryName());
        for (JarEntry entry : Collections.list(jar.getJarFile().entries())) {
            String file = entry.getName();
            if (!entry.isDirectory() && file.startsWith(directory)) {
                String name = file.substring(directory.length());
                long depth = 1 + name.chars().filter(letter -> letter == '/').count();
                boolean wanted = depth >= options.getMinDepth()
                        && depth <= options.getMaxDepth()
                        && (!options.endsWithFilterIsSet() || name.endsWith(options.getEndsWithFilter()));
                if (wanted) {
                    found.add(new URIResource(path + name, URI.create(url + name.replace(" ", "%20"))));
                }
            }
        }
    }

    private static String slash(String directory) {
        return directory.endsWith("/") ? directory : directory + "/";
    }
}
