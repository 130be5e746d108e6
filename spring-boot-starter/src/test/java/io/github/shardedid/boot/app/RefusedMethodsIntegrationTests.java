package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.boot.refused.RefusedApp;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.spring.data.RepositoryRoutes;
import io.github.shardedid.spring.data.RouteKind;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Repository methods that cannot work stop the start, all of them with their reasons; those that need a scope are reported. */
@ExtendWith(OutputCaptureExtension.class)
class RefusedMethodsIntegrationTests {
    private final RunningApp app = RunningApp.shared();

    private static ShardedIdMappingException refused(ThrowingCallable start) {
        ShardedIdMappingException[] found = new ShardedIdMappingException[1];
        assertThatThrownBy(start).satisfies(failure -> Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .filter(ShardedIdMappingException.class::isInstance)
                .forEach(each -> found[0] = (ShardedIdMappingException) each));
        return Objects.requireNonNull(found[0], "no ShardedIdMappingException");
    }

    @Test
    void allMethodsThatCannotWorkAreToldAtOnce(CapturedOutput output) {
        ShardedIdMappingException refused =
                refused(() -> app.start(RefusedApp.class).close());
        assertThat(refused.problems())
                .hasSize(10)
                .anySatisfy(each -> assertThat(each)
                        .contains("RemarkRepository.joined(String)", "@ForeignShard", "Compare or select the id"))
                .anySatisfy(each -> assertThat(each).contains("RemarkRepository.fetched(Long)", "@ForeignShard"))
                .anySatisfy(each -> assertThat(each).contains("findByAuthorNameStartingWith(String)", "@ForeignShard"))
                .anySatisfy(each -> assertThat(each).contains("findByPageOrderByAuthorName(long)", "@ForeignShard"))
                .anySatisfy(each -> assertThat(each)
                        .contains("RemarkRepository.byWords(String)", "is compared with", "Annotate the parameter"))
                .anySatisfy(each -> assertThat(each).contains("deleteByWords(String) has @AllShards, but it writes"))
                .anySatisfy(each -> assertThat(each).contains("AuthorRepository.both(Long, Long) has more than one"))
                .anySatisfy(each -> assertThat(each)
                        .contains("AuthorRepository.findByName(String) is cached", "ShardContext).target()}"))
                .anySatisfy(each -> assertThat(each).contains("AuthorRepository.findByIdIn(List) is cached"))
                .anySatisfy(each -> assertThat(each).contains("AuthorRepository.countByName(String) is cached"));
        assertThat(output)
                .contains(
                        "Found 10 problems:", "    1. ", "    10. ", "Correct the mappings and the repository methods");
    }

    @Test
    void methodsThatNeedAScopeAreReportedAndRefusedIfConfigured(CapturedOutput output) {
        assertThat(app.bean(RepositoryRoutes.class).routes())
                .filteredOn(route -> route.kind() == RouteKind.NEEDS_SCOPE)
                .extracting(RepositoryRoutes.Route::method)
                .contains("UserRepository.findByName(String)")
                .doesNotContain("UserRepository.nameOf(Long)", "UserRepository.count()");
        app.start().close();
        assertThat(output).contains("repository methods determine no shard", "    UserRepository.findByName(String)");

        List<String> problems = refused(() -> app.start("sharded-id.repositories.unroutable-methods=refuse")
                        .close())
                .problems();
        assertThat(problems).anySatisfy(each -> assertThat(each)
                .contains("UserRepository.findByName(String) determines no shard", "put @AllShards on the method"));
    }
}
