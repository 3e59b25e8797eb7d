/** The job that tells the tenant of an event; added with the event, worked off by the deliveries. */
export const PUBLISH_EVENT = 'publish-event'
