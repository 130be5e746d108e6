package io.github.shardedid.modulith.shipping;

import io.github.shardedid.modulith.purchases.PurchasePlaced;
import io.github.shardedid.modulith.purchases.PurchaseRepository;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.stereotype.Service;

/** Receives events after the commit, in other threads and transactions. */
@Service
public class Shipping {
    private static final Set<String> REFUSED = ConcurrentHashMap.newKeySet();
    private final Queue<String> shipped = new ConcurrentLinkedQueue<>();
    private final PurchaseRepository purchases;

    Shipping(PurchaseRepository purchases) {
        this.purchases = purchases;
    }

    @ApplicationModuleListener
    void on(PurchasePlaced event) {
        if (REFUSED.contains(event.article())) {
            throw new IllegalStateException("No " + event.article() + " in stock.");
        }
        shipped.add(purchases.findById(event.id()).orElseThrow().article);
    }

    public List<String> shipped() {
        return List.copyOf(shipped);
    }

    /** Listeners fail for the article, in all contexts. */
    public static void refuse(String article) {
        REFUSED.add(article);
    }

    public static void accept(String article) {
        REFUSED.remove(article);
    }
}
