package io.github.shardedid.boot.ownids;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class OwnIdsApp {}
