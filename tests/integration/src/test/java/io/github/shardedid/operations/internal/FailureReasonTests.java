package io.github.shardedid.operations.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every message below contains the secret {@code topsecret1}, or its parts {@code topsecret1} and {@code topsecret2}. */
class FailureReasonTests {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "connection to \"host=h user=u password=topsecret1 dbname=d\" failed",
                "host=h password='topsecret1 topsecret2' dbname=d failed",
                "host=h password = 'topsecret1\\' topsecret2' dbname=d failed",
                "host=h password='topsecret1'' topsecret2' dbname=d failed",
                "host=h password=\"topsecret1 topsecret2\" dbname=d failed",
                "host=h password=\"topsecret1 \\\" topsecret2\" dbname=d failed",
                "host=h password=topsecret1\\ topsecret2 dbname=d failed",
                "host=h password='topsecret1 topsecret2",
                "host=h PASSWORD='topsecret1\ntopsecret2' failed",
                "PGPASSWORD=topsecret1 psql failed",
                "jdbc:postgresql://h/d?user=u&password=topsecret1,topsecret2;topsecret1'topsecret2\"topsecret1&ssl=true failed",
                "jdbc:postgresql://h/d?sslpassword=topsecret1&ssl=true failed",
                "jdbc:postgresql://h/d?sslfactoryarg=topsecret1 failed",
                "jdbc:postgresql://h/d?socketFactoryArg=topsecret1&connectExecutorArg=topsecret2 failed",
                "jdbc:postgresql://h/d?options=-c%20app.key%3Dtopsecret1%20topsecret2&ssl=true failed",
                "host=h options='-c app.key=topsecret1 -c app.other=topsecret2' failed",
                "parameter app.secret%3dtopsecret1 failed",
                "host=h sslpassword='topsecret1 topsecret2' passfile='/topsecret1 topsecret2' failed",
                "host=h passfile=/topsecret1/topsecret2 failed",
                "postgresql://u:topsecret1@h/d failed",
                "postgresql://u:topsecret1@topsecret2@h/d failed",
                "postgresql://u:topsecret1/topsecret2@h/d failed",
                "{user=u, password=topsecret1, ssl=true} failed",
                "{\"user\": \"u\", \"password\" : \"topsecret1 topsecret2\"} failed",
                "{\"client_secret\": \"topsecret1\", \"token\":\"topsecret2\"} failed",
                "spring.datasource.password: topsecret1 failed",
                "access_token=topsecret1 api-key=topsecret2 aws.credentials='topsecret1 topsecret2' failed",
                "ALTER ROLE u PASSWORD 'topsecret1 topsecret2' failed",
                "ALTER ROLE u ENCRYPTED PASSWORD E'topsecret1\\' topsecret2' failed",
                "ALTER ROLE u PASSWORD $a$topsecret1' topsecret2$a$ VALID failed",
                "CREATE USER MAPPING FOR u SERVER s OPTIONS (user 'u', password 'topsecret1 topsecret2') failed",
                "CREATE SUBSCRIPTION s CONNECTION 'host=h password=topsecret1' PUBLICATION p failed",
                "CREATE SUBSCRIPTION s CONNECTION 'host=h password=''topsecret1 topsecret2'' dbname=d' failed",
            })
    void containsNoSecret(String message) {
        for (Throwable failure : new Throwable[] {
            new SQLException(message), new IllegalStateException("outer", new SQLException(message))
        }) {
            assertThat(FailureReason.of(failure)).contains("***").doesNotContain("topsecret");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "FATAL: password authentication failed for user \"app\"",
                "The server requested SCRAM-based authentication, but no password was provided.",
                "ERROR: role \"password\" does not exist",
                "ERROR: permission denied for sequence lock_secret",
                "table note: column token: text at the source, varchar at the target",
                "Connection to localhost:5432 refused.",
                "jdbc:postgresql://h:5432/d?user=u&ssl=true is down",
            })
    void keepsWhatIsNoSecret(String message) {
        assertThat(FailureReason.of(new SQLException(message))).isEqualTo(message);
    }
}
