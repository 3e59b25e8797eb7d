/** The webhook secret of an integration that signs on beside the one before the last rotation. */
export const keepOldestWebhookSecrets = [
  `alter table accounts.integration
      add column oldest_webhook_secret text,
      add column oldest_until timestamptz(3)`,
]
