package io.github.shardedid.boot.shelter;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class ShelterApp {}
