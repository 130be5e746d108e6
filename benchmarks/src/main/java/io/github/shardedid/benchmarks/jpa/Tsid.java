package io.github.shardedid.benchmarks.jpa;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;

/** An id that is a TSID, as the annotation of this name of {@code hypersistence-utils} makes it; see {@link TsidGenerator}. */
@IdGeneratorType(TsidGenerator.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Tsid {}
