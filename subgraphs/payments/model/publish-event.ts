/** The job that tells the tenant of an event; added with the event, worked off by the deliveries. */
export const PUBLISH_EVENT = 'publish-event'

/**
 * The same for several events whose payments name no address themselves. The deliveries pass those of which nobody is told
 * by one statement, and add a `publish-event` for each of the others.
 */
export const PUBLISH_EVENTS = 'publish-events'
