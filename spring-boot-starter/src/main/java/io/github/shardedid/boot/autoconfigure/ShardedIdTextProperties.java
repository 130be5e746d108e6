package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.spring.id.IdForm;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How clients see ids.
 *
 * @param idsAs How ids are written: decimal, as text, short-text, as in links, or number, which leaves JSON to Jackson, and which
 *     JavaScript rounds. Read are the form that is written, and numbers.
 */
@ConfigurationProperties("sharded-id.json")
public record ShardedIdTextProperties(@DefaultValue("decimal") IdForm idsAs) {}
