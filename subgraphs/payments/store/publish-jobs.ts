import type { JobRequest } from '../../../kernel/jobs.js'
import type { ResourceEvent } from '../../../kernel/resource-event.js'
import { PUBLISH_EVENT, PUBLISH_EVENTS } from '../model/publish-event.js'
import { tenantDataOf } from '../model/tenant-data.js'
import type { Payment } from './payment.entity.js'

/** An event that tenants are told of, and its payment. */
export interface ToldEvent {
  payment: Payment
  event: ResourceEvent
}

/**
 * The jobs that tell tenants of events which are committed together. Where several payments name no address, their events
 * share a job: mostly nobody is told of them, and one statement finds that out for all.
 */
export function publishJobs(told: readonly ToldEvent[]): JobRequest[] {
  const together = told.filter((one) => !namesAddress(one))
  const isShared = together.length > 1
  const alone = isShared ? told.filter(namesAddress) : told
  const jobs = alone.map(({ event }): JobRequest => ({ name: PUBLISH_EVENT, payload: event }))
  if (isShared) jobs.push({ name: PUBLISH_EVENTS, payload: { events: together.map(({ event }) => event) } })
  return jobs
}

function namesAddress({ payment }: ToldEvent): boolean {
  return tenantDataOf(payment) !== null
}
