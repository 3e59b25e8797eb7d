import { OperationTypeNode } from 'graphql'
import { describe, expect, it, vi } from 'vitest'
import type { RequestContext } from '../kernel/subgraph.js'
import { createAdmission } from './admission.js'

const context: RequestContext = {
  requestId: 'request',
  caller: { tenantId: 'c000000000000000000tenant', keyId: 'key', products: [] },
}
const ANOTHER: RequestContext = { ...context, caller: { ...context.caller, tenantId: 'c00000000000000000another' } }
const SMALL_READ = { kind: OperationTypeNode.QUERY, weight: 1 }
const charge = () => ({ allowed: true }) as never

/** Work that no subgraph ever answers. */
const hangs = () => new Promise<never>(() => undefined)

describe('small reads of a tenant whose subgraph hangs', () => {
  it('wait in a number that has an end, and keep nobody else waiting', async () => {
    const { run } = createAdmission(charge)
    const codes: unknown[] = []
    for (let asked = 0; asked < 1_100; asked += 1)
      run(SMALL_READ, context, hangs).catch(({ code }: { code: unknown }) => codes.push(code))
    expect(await run(SMALL_READ, ANOTHER, () => Promise.resolve('read'))).toBe('read')
    expect(codes).toEqual(Array.from({ length: 1_100 - 32 - 1_000 }, () => 'too_many_operations'))
    // What writes has its own time.
    const small = { kind: OperationTypeNode.MUTATION, weight: 1 }
    expect(await run(small, context, () => Promise.resolve('written'))).toBe('written')
  })

  it('are answered while their clients still wait', async () => {
    vi.useFakeTimers()
    try {
      const { run } = createAdmission(charge)
      for (let asked = 0; asked < 32; asked += 1) void run(SMALL_READ, context, hangs)
      const late = run(SMALL_READ, context, () => Promise.resolve('read'))
      const refused = expect(late).rejects.toMatchObject({ code: 'too_many_operations' })
      await vi.advanceTimersByTimeAsync(30_000)
      await refused
    } finally {
      vi.useRealTimers()
    }
  })
})
