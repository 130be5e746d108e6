/**
 * One run of the provisioner: what the databases store is inspected and checked first ({@code Provisioning}, {@code ClusterValidation}), and only
 * then are schemas created and migrated ({@code DatabaseWork}, {@code ShardMigrator}). Tools are hooked in by {@code MigrationTool}.
 */
@NullMarked
package io.github.shardedid.provisioning.internal;

import org.jspecify.annotations.NullMarked;
