/** Serves the removal of broadcasts that are long over. */
export const findOldBroadcasts = ['create index on yield.relay (created_at)']
