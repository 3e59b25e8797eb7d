import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { RequestContext, SubgraphExecutor } from '../../kernel/subgraph.js'
import { createAdmission } from '../admission.js'
import { newsReader } from './read-news.js'

const charge = () => ({ allowed: true }) as never
const ofTenant = (tenantId: string): RequestContext => ({
  requestId: 'request',
  caller: { tenantId, keyId: 'key', products: [] },
})

// What waits has a timer, which would keep the process of all tests busy for half a minute.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

it('what the streams of a tenant read waits for each other, and no other tenant for it', async () => {
  const begun: (string | null)[] = []
  const hangs: SubgraphExecutor = ({ context }) => {
    begun.push(context.caller.tenantId)
    return new Promise(() => undefined)
  }
  const read = newsReader(hangs, createAdmission({ charge, chargeEvent: charge }))
  const place = { at: '2026-01-01T00:00:00.000Z', paymentId: '', sequence: 0 }
  for (let stream = 0; stream < 250; stream += 1) {
    void read.history(ofTenant('many'), 'c00000000000000000payment', stream)
    void read.announced(ofTenant('many'), place)
  }
  void read.history(ofTenant('few'), 'c00000000000000000payment', 0)
  await setImmediate()
  expect(begun.filter((tenant) => tenant === 'many')).toHaveLength(24)
  expect(begun).toContain('few')
})
