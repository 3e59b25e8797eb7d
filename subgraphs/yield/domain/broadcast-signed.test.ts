import { expect, it } from 'vitest'
import type { Tenant } from '../../../kernel/tenant.js'
import { broadcastSigned, type BroadcastSignedDeps } from './broadcast-signed.js'

const tenant: Tenant = { id: 'c000000000000000000tenant', products: [], requestId: 'request' }
const signed = { wire: 'wire', signature: 'signature' } as Parameters<typeof broadcastSigned>[2]

it('what gets its lock when its request is over is not sent any more', async () => {
  const sent: string[] = []
  let isOver = false
  const deps = {
    broadcasts: { find: () => Promise.resolve(undefined), add: () => Promise.resolve() },
    broadcastTiming: { waitMs: 1, pairWaitMs: 1, pollMs: 1, resendMs: 1 },
    chain: {
      name: 'solana',
      findSignature: () => Promise.resolve(undefined),
      newestSlot: () => 0,
      send: ({ wire }: { wire: string }) => {
        sent.push(wire)
        return Promise.resolve('sent')
      },
    },
    delay: () => Promise.resolve(),
    exclusively: async (_name: string, work: () => Promise<unknown>) => {
      isOver = true
      return { result: await work() }
    },
  } as unknown as BroadcastSignedDeps
  const late = broadcastSigned(deps, tenant, signed, { afterSlot: undefined, mayWait: () => !isOver })
  await expect(late).rejects.toMatchObject({ code: 'broadcast_confirmation_timeout' })
  expect(sent).toEqual([])
})
