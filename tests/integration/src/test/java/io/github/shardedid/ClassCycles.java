package io.github.shardedid;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The classes that depend on each other: the strongly connected components of a dependency graph, by Tarjan's algorithm. */
final class ClassCycles {
    private final Map<String, Set<String>> graph;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> path = new ArrayDeque<>();
    private final Set<String> onPath = new HashSet<>();
    private final List<Set<String>> found = new ArrayList<>();

    private ClassCycles(Map<String, Set<String>> graph) {
        this.graph = graph;
    }

    /** Those of more than so many classes; a nested class counts as a part of the one around it. */
    static List<Set<String>> largerThan(int size, JavaClasses classes) {
        Map<String, Set<String>> graph = new TreeMap<>();
        for (JavaClass type : classes) {
            Set<String> used = graph.computeIfAbsent(topLevel(type), name -> new TreeSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                if (classes.contain(dependency.getTargetClass().getName())) {
                    used.add(topLevel(dependency.getTargetClass()));
                }
            }
        }
        return of(graph).stream().filter(cycle -> cycle.size() > size).toList();
    }

    static List<Set<String>> of(Map<String, Set<String>> graph) {
        ClassCycles cycles = new ClassCycles(graph);
        for (String node : graph.keySet()) {
            if (!cycles.numbers.containsKey(node)) {
                cycles.visit(node);
            }
        }
        return cycles.found;
    }

    private static String topLevel(JavaClass type) {
        String name = type.getName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    private void visit(String node) {
        int number = numbers.size();
        numbers.put(node, number);
        lowest.put(node, number);
        path.push(node);
        onPath.add(node);
        for (String next : graph.getOrDefault(node, Set.of())) {
            if (!numbers.containsKey(next)) {
                visit(next);
                lowest.merge(node, lowest.getOrDefault(next, number), Math::min);
            } else if (onPath.contains(next)) {
                lowest.merge(node, numbers.getOrDefault(next, number), Math::min);
            }
        }
        if (number == lowest.getOrDefault(node, number)) {
            found.add(component(node));
        }
    }

    private Set<String> component(String root) {
        Set<String> component = new TreeSet<>();
        String node;
        do {
            node = path.pop();
            onPath.remove(node);
            component.add(node);
        } while (!node.equals(root));
        return component;
    }
}
