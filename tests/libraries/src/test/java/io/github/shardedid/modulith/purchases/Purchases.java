package io.github.shardedid.modulith.purchases;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Publishes its events in its transactions, and opens no scope. */
@Service
public class Purchases {
    private final PurchaseRepository purchases;
    private final ApplicationEventPublisher events;

    Purchases(PurchaseRepository purchases, ApplicationEventPublisher events) {
        this.purchases = purchases;
        this.events = events;
    }

    @Transactional
    public Purchase buy(String article) {
        Purchase purchase = purchases.save(new Purchase(article));
        events.publishEvent(new PurchasePlaced(purchase.id(), article));
        return purchase;
    }

    @Transactional
    public void buyAndFail(String article) {
        buy(article);
        throw new IllegalStateException("The purchase fails after its event has been published.");
    }

    @Transactional
    public void correct(long id, String article) {
        purchases.findById(id).orElseThrow().article = article;
        events.publishEvent(new PurchasePlaced(id, article));
    }

    @Transactional
    public void announce(String article) {
        events.publishEvent(new PurchasePlaced(0, article));
    }
}
