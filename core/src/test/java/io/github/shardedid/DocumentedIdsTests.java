package io.github.shardedid;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.DecodedId;
import io.github.shardedid.id.IdLayout;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What {@code docs/concepts.md} says of ids. */
class DocumentedIdsTests {
    @Test
    @SuppressWarnings({"CheckReturnValue", "ReturnValueIgnored"}) // a snippet shows calls, the assertions repeat them
    void anIdIsTakenApart() {
        IdLayout layout = IdLayout.DEFAULT;
        DecodedId decoded = layout.decode(11637205501278089L);

        decoded.instant(); // 2011-09-09T22:28:04.721Z
        decoded.shard(); // 1341
        decoded.sequence(); // 905
        layout.toText(11637205501278089L); // pV_oMFPeJ, for short links

        assertThat(decoded.instant()).isEqualTo(Instant.parse("2011-09-09T22:28:04.721Z"));
        assertThat(decoded.shard()).isEqualTo(1341);
        assertThat(decoded.sequence()).isEqualTo(905);
        assertThat(layout.toText(11637205501278089L)).isEqualTo("pV_oMFPeJ");
    }
}
