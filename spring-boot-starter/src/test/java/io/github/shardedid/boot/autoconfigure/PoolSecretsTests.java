package io.github.shardedid.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class PoolSecretsTests {
    /** All properties of the driver that may contain a secret; a new one of a later version fails here. */
    @Test
    void allSecretsOfTheDriverAreKnown() throws SQLException {
        String url = "jdbc:postgresql://localhost/app";
        assertThat(Arrays.stream(DriverManager.getDriver(url).getPropertyInfo(url, new Properties()))
                        .map((DriverPropertyInfo property) -> property.name)
                        .filter(DatabaseUrl::isSecret))
                .containsExactlyInAnyOrder(
                        "password", "sslpassword", "sslfactoryarg", "socketFactoryArg", "connectExecutorArg");
        assertThat(Arrays.stream(DriverManager.getDriver(url).getPropertyInfo(url, new Properties()))
                        .map((DriverPropertyInfo property) -> property.name)
                        .filter(name -> name.matches("(?i).*(pass|secret|token|credential|key|arg).*"))
                        .filter(name -> !DatabaseUrl.isSecret(name)))
                .containsExactlyInAnyOrder("sslkey", "sslpasswordcallback", "pemKeyAlgorithm", "targetServerType");
    }
}
