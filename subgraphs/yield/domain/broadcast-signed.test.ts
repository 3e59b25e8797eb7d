import { describe, expect, it, vi } from 'vitest'
import { AppError, type ErrorCode } from '../../../kernel/errors.js'
import type { Tenant } from '../../../kernel/tenant.js'
import type { KnownBroadcast } from '../store/broadcasts.js'
import { broadcastSigned, type BroadcastSignedDeps } from './broadcast-signed.js'

const tenant: Tenant = { id: 'c000000000000000000tenant', products: [], requestId: 'request' }
const signed = { wire: 'wire', signature: 'signature' } as Parameters<typeof broadcastSigned>[2]

const UNSENT = {
  code: 'broadcast_rpc_unavailable',
  details: 'this transaction was not sent, as the time of its request was over: send the same again in a while',
}
const UNCONFIRMED = { code: 'broadcast_confirmation_timeout', details: 'transactionHash signature' }

/** A broadcast of bytes that no node ever shows, and what it does in its order. */
function harness() {
  const state = {
    isOver: false,
    isLocked: false,
    known: undefined as KnownBroadcast | undefined,
    /** What the node answers each send after the other; the last one again and again. */
    answers: ['sent'] as ('sent' | 'unknown' | AppError)[],
    look: undefined as AppError | undefined,
  }
  const timing = { waitMs: 1, pairWaitMs: 1, answerMs: 1, pollMs: 1, resendMs: 0 }
  const steps: string[] = []
  let onLock: () => void = () => undefined
  let onDelay: () => void = () => undefined
  const deps = {
    broadcasts: {
      find: () => Promise.resolve(state.known),
      add: () => {
        steps.push('written')
        state.known = { state: 'stored' }
        return Promise.resolve()
      },
      remove: () => {
        steps.push('removed')
        state.known = undefined
        return Promise.resolve()
      },
    },
    broadcastTiming: timing,
    chain: {
      name: 'solana',
      findSignature: () => (state.look ? Promise.reject(state.look) : Promise.resolve(undefined)),
      newestSlot: () => 0,
      send: () => {
        steps.push('sent')
        const [answer] = state.answers.length > 1 ? state.answers.splice(0, 1) : state.answers
        return answer instanceof AppError ? Promise.reject(answer) : Promise.resolve(answer)
      },
    },
    delay: () => {
      onDelay()
      return Promise.resolve()
    },
    exclusively: async (_name: string, work: () => Promise<unknown>) => {
      onLock()
      return state.isLocked ? undefined : { result: await work() }
    },
  } as unknown as BroadcastSignedDeps
  return {
    state,
    timing,
    steps,
    onLock: (then: () => void) => (onLock = then),
    onDelay: (then: () => void) => (onDelay = then),
    run: () => broadcastSigned(deps, tenant, signed, { afterSlot: undefined, mayWait: () => !state.isOver }),
  }
}

it('what gets its lock when its request is over is not sent any more, nor called or kept as sent', async () => {
  const { state, steps, onLock, run } = harness()
  onLock(() => (state.isOver = true))
  await expect(run()).rejects.toMatchObject(UNSENT)
  expect(steps).toEqual([])
})

it('what comes when its request is over is not sent, nor called or kept as sent', async () => {
  const { state, steps, run } = harness()
  state.isOver = true
  await expect(run()).rejects.toMatchObject(UNSENT)
  expect(steps).toEqual([])
})

it('what is sent is written down before that, once', async () => {
  const { state, steps, onLock, run } = harness()
  onLock(() => (state.isOver = steps.length > 2))
  await expect(run()).rejects.toMatchObject(UNCONFIRMED)
  expect(steps).toEqual(['written', 'sent', 'sent'])
})

it('what another process may be sending is not called unsent', async () => {
  const { state, steps, onLock, run } = harness()
  let asked = 0
  onLock(() => {
    state.isLocked = true
    asked += 1
    state.isOver = asked === 2
  })
  await expect(run()).rejects.toMatchObject(UNCONFIRMED)
  expect(steps).toEqual([])
})

it.each<[string, KnownBroadcast, object | number]>([
  ['sent', { state: 'stored' }, UNCONFIRMED],
  ['brought to its end', { state: 'confirmed', slot: 7 }, 7],
])('what another process has %s while this one waited for the lock is answered as that', async (_what, known, end) => {
  const { state, steps, onLock, run } = harness()
  onLock(() => Object.assign(state, { known, isOver: true }))
  const answer = await run().catch((error: unknown) => error)
  if (typeof end === 'number') expect(answer).toBe(end)
  else expect(answer).toMatchObject(end)
  expect(steps).toEqual([])
})

it('what an earlier request has sent is not called unsent by one that comes too late', async () => {
  const { state, run } = harness()
  Object.assign(state, { known: { state: 'stored' }, isOver: true })
  await expect(run()).rejects.toMatchObject(UNCONFIRMED)
})

const REFUSALS: ErrorCode[] = ['broadcast_simulation_failed', 'broadcast_rejected', 'signed_transaction_missing']
const UNAVAILABLE: ErrorCode = 'broadcast_rpc_unavailable'

describe.each([...REFUSALS, UNAVAILABLE])('a node that answers %s', (code) => {
  const refusal = new AppError(code, { details: 'says the node' })

  it.each<[string, KnownBroadcast | undefined, ('unknown' | AppError)[]]>([
    ['an earlier request has sent', { state: 'stored' }, [refusal]],
    ['this request has sent, without an answer', undefined, ['unknown', refusal]],
  ])('does not end what %s: it may land', async (_what, known, answers) => {
    const { state, steps, onLock, run } = harness()
    Object.assign(state, { known, answers })
    onLock(() => (state.isOver = steps.length > 2))
    await expect(run()).rejects.toMatchObject(UNCONFIRMED)
    expect(state.known).toEqual({ state: 'stored' })
  })

  it('leaves nothing behind of what nobody has sent, and the same bytes get the same answer', async () => {
    const { state, steps, run } = harness()
    state.answers = [refusal]
    await expect(run()).rejects.toMatchObject({ code, details: 'says the node' })
    expect(state.known).toBeUndefined()
    await expect(run()).rejects.toMatchObject({ code, details: 'says the node' })
    expect(steps).toEqual(['written', 'sent', 'removed', 'written', 'sent', 'removed'])
    state.isOver = true
    await expect(run()).rejects.toMatchObject(UNSENT)
  })
})

it.each<[string, KnownBroadcast | undefined, ('unknown' | AppError)[]]>([
  ['an earlier request has sent', { state: 'stored' }, []],
  ['this request has sent, without an answer', undefined, ['unknown']],
])(
  'what is proven to have expired is not kept as sent, though %s: the same bytes get the same answer',
  async (_what, known, answers) => {
    const { state, run } = harness()
    Object.assign(state, { known, answers: [...answers, new AppError('solana_blockhash_expired')] })
    await expect(run()).rejects.toMatchObject({ code: 'solana_blockhash_expired' })
    expect(state.known).toBeUndefined()
    state.isOver = true
    await expect(run()).rejects.toMatchObject(UNSENT)
  },
)

it('what no node takes is sent more and more rarely', async () => {
  const { state, timing, steps, onDelay, run } = harness()
  state.answers = ['unknown']
  let [nowMs, polls] = [0, 0]
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  const sentAt: number[] = []
  onDelay(() => {
    if (steps.filter((step) => step === 'sent').length > sentAt.length) sentAt.push(nowMs)
    nowMs += 1
    polls += 1
    state.isOver = polls > 20
  })
  timing.resendMs = 2
  await expect(run()).rejects.toMatchObject(UNCONFIRMED)
  vi.restoreAllMocks()
  expect(sentAt).toEqual([0, 2, 6, 14])
})

it('what another process wrote down and sent while this one waited for the lock is not ended by a refusal either', async () => {
  const { state, steps, onLock, run } = harness()
  state.answers = [new AppError('broadcast_simulation_failed')]
  onLock(() => Object.assign(state, { known: { state: 'stored' }, isOver: steps.length > 1 }))
  await expect(run()).rejects.toMatchObject(UNCONFIRMED)
  expect(steps).toEqual(['sent', 'sent'])
})

it.each<[string, KnownBroadcast | undefined, string]>([
  ['has sent nothing where no request has sent it', undefined, 'broadcast_rpc_unavailable'],
  ['is not called to have sent nothing where one has sent it', { state: 'stored' }, 'confirm_rpc_unavailable'],
])('a chain that cannot be asked %s', async (_what, known, code) => {
  const { state, steps, run } = harness()
  Object.assign(state, { known, look: new AppError('confirm_rpc_unavailable', { details: 'no connection' }) })
  await expect(run()).rejects.toMatchObject({ code, details: 'no connection' })
  expect(steps).toEqual([])
})
