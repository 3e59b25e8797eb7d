import { expect, it } from 'vitest'
import { AppError } from '../../../kernel/errors.js'
import { tenantQueue } from '../../../kernel/tenant-queue.js'
import type { Tenant } from '../../../kernel/tenant.js'
import { inTurn, patienceOf } from './broadcast-turn.js'

const tenant: Tenant = { id: 'c000000000000000000tenant', products: [], requestId: 'request' }
const broadcastTiming = { waitMs: 40, pairWaitMs: 60_000, answerMs: 60_000, pollMs: 1, resendMs: 1 }

/** Work of one queue with one slot: what begins ends when it is told to. */
function harness({ isStopping = () => false }: { isStopping?: () => boolean } = {}) {
  const deps = { broadcastQueue: tenantQueue({ running: 1, waiting: 5 }), broadcastTiming, isStopping }
  const begun: string[] = []
  const ends: (() => void)[] = []
  const run = (name: string, transactions = 1) =>
    inTurn(deps, tenant, patienceOf(deps, transactions), {
      begin: () => {
        begun.push(name)
        return new Promise<string>((resolve) => ends.push(() => resolve(`${name} sent`)))
      },
      withoutTurn: () => Promise.resolve(`${name} never begun`),
    })
  return { begun, run, end: () => ends.shift()?.() }
}

it('who waits for a turn waits no longer than the request may, and begins nothing after that', async () => {
  const { begun, run, end } = harness()
  const first = run('first')
  expect(await run('late')).toBe('late never begun')
  end()
  expect([await first, begun]).toEqual(['first sent', ['first']])
})

it('two transactions are waited for longer, and still in one turn', async () => {
  const { begun, run, end } = harness()
  const [first, pair] = [run('first', 2), run('pair', 2)]
  expect(await run('late')).toBe('late never begun')
  end()
  await first
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toEqual(['first', 'pair'])
  end()
  expect(await pair).toBe('pair sent')
})

it('nothing is begun while the process ends', async () => {
  let isStopping = false
  const { begun, run, end } = harness({ isStopping: () => isStopping })
  const [first, waiting] = [run('first', 2), run('waiting', 2)]
  isStopping = true
  end()
  expect(await Promise.all([first, waiting])).toEqual(['first sent', 'waiting never begun'])
  expect(await run('new')).toBe('new never begun')
  expect(begun).toEqual(['first'])
})

it('what was begun keeps its own failure, whatever that is', async () => {
  const deps = { broadcastQueue: tenantQueue(), broadcastTiming, isStopping: () => false }
  const refused = inTurn(deps, tenant, patienceOf(deps, 1), {
    begin: () => Promise.reject(new AppError('too_many_operations')),
    withoutTurn: () => Promise.resolve('never begun'),
  })
  await expect(refused).rejects.toMatchObject({ code: 'too_many_operations' })
})
