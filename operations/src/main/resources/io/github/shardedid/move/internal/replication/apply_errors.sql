-- How often the workers of a subscription have failed.
SELECT apply_error_count + sync_error_count FROM pg_stat_subscription_stats WHERE subname = ?
