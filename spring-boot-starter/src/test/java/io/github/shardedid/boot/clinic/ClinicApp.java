package io.github.shardedid.boot.clinic;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class ClinicApp {}
