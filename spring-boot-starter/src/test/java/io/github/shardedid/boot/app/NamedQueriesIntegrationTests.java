package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.boot.named.CreatedNotes;
import io.github.shardedid.boot.named.NamedApp;
import io.github.shardedid.boot.named.Note;
import io.github.shardedid.boot.named.Notes;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.domain.Pageable;

/** A route comes from the text that is executed, wherever it is declared. */
class NamedQueriesIntegrationTests {
    private static final long VISITOR = 80_001;

    private static ConfigurableApplicationContext named;
    private static Notes notes;
    private static CreatedNotes created;

    @BeforeAll
    static void start() {
        named = RunningApp.shared().start(NamedApp.class);
        notes = named.getBean(Notes.class);
        created = named.getBean(CreatedNotes.class);
        notes.save(new Note(VISITOR, "own"));
        notes.save(new Note(VISITOR + 1, "shared"));
    }

    @AfterAll
    static void stop() {
        named.close();
    }

    private static void refused(ThrowingCallable call, String... why) {
        assertThatThrownBy(call)
                .isInstanceOf(NoShardException.class)
                .hasFieldOrPropertyWithValue("ofValue", true)
                .hasMessageContainingAll(why);
    }

    @Test
    void aQueryInAFileCountsBeforeTheName() {
        refused(() -> notes.findByVisitor(VISITOR), "Notes.findByVisitor(long)", "neither fixes the id");
        List<Note> inBoth = ShardContext.call(ShardSet.all(), () -> notes.findByVisitor(VISITOR));
        assertThat(inBoth).hasSizeGreaterThan(1);
        assertThat(notes.of(VISITOR)).hasSize(1);
        assertThat(notes.named(VISITOR)).hasSize(1);
        assertThat(notes.natively(VISITOR)).hasSize(1);
    }

    @Test
    void aQueryInAFileCountsBeforeTheNamedQueryOfTheEntity() {
        refused(() -> notes.findByPageOrVisitor("shared", VISITOR), "neither fixes the id");
    }

    @Test
    void aQueryThatIsRewrittenDecidesNothing() {
        refused(() -> notes.rewritten(VISITOR), "is rewritten at each call by Widening");
        assertThat(notes.rewrittenByKey(VISITOR)).hasSize(1);
        List<Note> inBoth = ShardContext.call(ShardSet.all(), () -> notes.rewritten(VISITOR));
        assertThat(inBoth).hasSizeGreaterThan(1);
    }

    @Test
    void aCountQueryMustRequireTheSame() {
        refused(() -> notes.countedOtherwise(VISITOR, Pageable.ofSize(1)), "its condition requires neither");
        refused(() -> notes.countedByName(VISITOR, Pageable.ofSize(1)), "its condition requires neither");
        assertThat(notes.counted(VISITOR, Pageable.ofSize(1)).getTotalElements())
                .isEqualTo(1);
    }

    @Test
    void nothingDeclaredCountsWhereAllQueriesAreDerived() {
        refused(() -> created.findByPageOrVisitor("shared", VISITOR), "its name fixes neither");
        refused(() -> created.findByVisitorOrPage(VISITOR, "shared"), "its name fixes neither");
        assertThat(created.findByVisitor(VISITOR)).hasSize(1);
    }
}
