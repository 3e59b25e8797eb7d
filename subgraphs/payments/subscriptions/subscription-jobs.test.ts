import { expect, it } from 'vitest'
import { providerEventJob, watchJob } from '../domain/charges/charge-jobs.js'
import { mailJob } from './mails/mail-jobs.js'
import { chargePeriodJob, renewJob } from './subscription-jobs.js'

const now = new Date('2026-11-25T12:00:00Z')
const period = { tenantId: 'tenant', subscriptionId: 'subscription', period: 1, attempt: 1 }

it('a thousand renewals that are due in one second go behind what a provider has told and all watches, and before e-mails', () => {
  const told = providerEventJob({ provider: 'pix', eventKey: 'event' }).priority ?? 0
  const watch = watchJob({ tenantId: 'tenant', id: 'charge' }, now).priority ?? 0
  expect(watch).toBeGreaterThan(told)
  const mail = mailJob({ tenantId: 'tenant', subscriptionId: 'subscription', period: 1, step: 0 }, now).priority ?? 0
  for (const job of [renewJob({ tenantId: 'tenant', id: 'subscription' }, now), chargePeriodJob(period, now)]) {
    expect(job.priority).toBeGreaterThan(watch)
    expect(job.priority).toBeLessThan(mail)
  }
})
