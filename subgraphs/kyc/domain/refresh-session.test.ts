import { expect, it } from 'vitest'
import { adjustableClock } from '../../../kernel/clock.js'
import { AppError } from '../../../kernel/errors.js'
import { createLog } from '../../../kernel/log.js'
import { ProviderError, type ProviderErrorKind } from '../../../kernel/provider-error.js'
import type { Person } from '../store/person.entity.js'
import { refreshPerson, type RefreshSessionDeps } from './refresh-session.js'
import { refreshes } from './refreshes.js'

const clock = adjustableClock()
const failing = (kind: ProviderErrorKind) =>
  new AppError('provider_unavailable', {
    cause: new ProviderError({ provider: 'didit', kind, retryable: false, message: 'it has no answer' }),
  })

it('a verifier that answers, be it what cannot be read of one person, is asked of all others', async () => {
  const failures = [failing('timeout'), failing('protocol'), failing('protocol')]
  const asked: string[] = []
  const sessionById = (_tenantId: string, id: string) =>
    Promise.resolve({ id, verifier: 'didit', providerSessionId: id, status: 'pending', checkedAt: new Date(0) })
  const getDecision = (id: string) => {
    asked.push(id)
    return Promise.reject(failures.shift() ?? failing('protocol'))
  }
  const deps = {
    ...{ clock, log: createLog('silent'), refreshes: refreshes(clock), sessionById },
    sessions: { now: () => Promise.resolve(clock.now()) },
    verifierOf: () => ({ getDecision }),
  } as never as RefreshSessionDeps
  const refresh = (sessionId: string) => refreshPerson(deps, { tenantId: 'tenant', sessionId } as Person)
  await refresh('unanswered')
  await refresh('at rest')
  clock.advance(5_000)
  await refresh('unreadable')
  await refresh('another')
  expect(asked).toEqual(['unanswered', 'unreadable', 'another'])
})
