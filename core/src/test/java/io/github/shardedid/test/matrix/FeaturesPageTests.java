package io.github.shardedid.test.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FeaturesPageTests {
    @ParameterizedTest
    @EnumSource
    void everyOutcomeIsExplainedWithItsException(Outcome outcome) {
        assertThat(FeaturesPage.text().lines())
                .filteredOn(line -> line.startsWith("| " + outcome.word() + " | "))
                .singleElement()
                .asString()
                .contains(outcome == Outcome.NOT_FOUND ? "NotFoundException`" : exceptionOf(outcome));
    }

    private static String exceptionOf(Outcome outcome) {
        return outcome.exception() == null || outcome.exception() == RuntimeException.class
                ? ""
                : "`" + outcome.exception().getSimpleName() + "`";
    }

    @ParameterizedTest
    @EnumSource
    void everySituationIsExplained(Situation situation) {
        assertThat(FeaturesPage.text()).contains("\n| " + situation.column() + " | ");
    }

    @Test
    void thePageHasNoWordThatIsNoOutcome() {
        FeaturesPage.text().lines().filter(line -> line.startsWith("## ")).forEach(heading -> FeaturesPage.section(
                        heading.substring(3))
                .values()
                .forEach(row -> {
                    for (Situation situation : Situation.values()) {
                        assertThat(row.expected(situation, true)).isNotNull();
                    }
                }));
    }
}
