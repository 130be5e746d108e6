package io.github.shardedid.spring.data;

/** Ways in which the calls of a repository method determine their shards. */
public enum RouteKind {
    /** One shard, by an id, a shard key or a parent in the arguments. */
    ONE_SHARD,
    /** The shards of a list of ids or shard keys. */
    SHARDS_OF_LIST,
    /** The shards that the condition requires, such as a Specification; a call whose condition requires none needs a scope. */
    SHARDS_OF_CONDITION,
    /** The shard of each row that is written. */
    SHARD_OF_EACH_ROW,
    /** All shards, or those of the open scope. */
    ALL_SHARDS,
    /** The global database. */
    GLOBAL,
    /** The method is the application's own code; what it calls is routed. */
    OWN_CODE,
    /** Neither the name nor the parameters determine a shard: a call outside of any scope is refused. */
    NEEDS_SCOPE,
    /** The method is refused at start-up. */
    REFUSED
}
