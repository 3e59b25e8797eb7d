/** More that is open, for whoever looks for work that no job is left for (0007): small beside the tables. */
export const indexMoreOpenWork = ['create index on payments.provider_event (received_at) where processed_at is null']
