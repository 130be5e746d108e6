package io.github.shardedid.tenants;

import java.util.List;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.concurrent.DelegatingSecurityContextRunnable;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

/** Work that no user asks for. */
record TenantWork(TicketRepository tickets, List<String> tenants) {
    record Message(String tenant, String subject) {}

    @Scheduled(cron = "0 0 3 * * *")
    void renameAll() {
        tenants.forEach(tenant -> runAs(tenant, () -> tickets.rename("renamed")));
    }

    void onMessage(Message message) {
        runAs(message.tenant(), () -> tickets.save(new Ticket(message.subject())));
    }

    private static void runAs(String tenant, Runnable work) {
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(new TestingAuthenticationToken(tenant, ""));
        DelegatingSecurityContextRunnable.create(work, context).run();
    }
}
