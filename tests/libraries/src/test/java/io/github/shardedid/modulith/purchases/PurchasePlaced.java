package io.github.shardedid.modulith.purchases;

public record PurchasePlaced(long id, String article) {}
