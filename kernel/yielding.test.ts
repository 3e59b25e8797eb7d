import { buildSchema, execute, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { serially, yieldingResolver, yieldQueue } from './yielding.js'

const schema = buildSchema(`
  type Query { page: Page }
  type Page { edges: [Edge!]! note: String }
  type Edge { cursor: String node: Node }
  type Node { id: ID tags: [String] inner: Inner }
  type Inner { value: Int! }
`)
const edges = Array.from({ length: 400 }, (_, index) => ({
  cursor: String(index),
  node: { id: index, tags: ['a', 'b'], inner: index % 7 === 0 ? null : { value: index } },
}))
const DOCUMENT = parse('{ page { note edges { cursor node { id tags inner { value } } } } }')
const rootValue = { page: { edges, note: 'all' } }

describe('a yieldQueue', () => {
  it('lets one request through in each turn of the event loop, in their order', async () => {
    const nextTurn = yieldQueue()
    const seen: string[] = []
    const through = ['a', 'b', 'c'].map((name) => nextTurn().then(() => seen.push(name)))
    const others = (async () => {
      for (let turn = 0; turn < 4; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve))
        seen.push('other')
      }
    })()
    await Promise.all([...through, others])
    expect(seen.filter((name) => name !== 'other')).toEqual(['a', 'b', 'c'])
    for (const pair of ['ab', 'bc', 'abc']) expect(seen.join('')).not.toContain(pair)
  })
})

describe('a large answer', () => {
  it('is the same, and lets others have their turn while it is made', async () => {
    let turns = 0
    const fieldResolver = yieldingResolver(async () => {
      turns += 1
      await new Promise((resolve) => setImmediate(resolve))
    })
    const inTurns = await execute({ schema, document: DOCUMENT, rootValue, fieldResolver })
    expect(JSON.stringify(inTurns)).toBe(JSON.stringify(await execute({ schema, document: DOCUMENT, rootValue })))
    expect(inTurns.errors).toBeUndefined()
    // A page, its edges, 400 nodes, and what is within six of seven.
    expect(turns).toBeGreaterThanOrEqual(Math.floor((1 + 1 + 400 + 342) / 25) - 1)
  })

  it('has its root fields made one after the other, those that fail too', async () => {
    const execution = {}
    let running = 0
    let most = 0
    const ended: number[] = []
    const field = (number: number) => async (): Promise<number> => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      ended.push(number)
      if (number === 2) throw new Error('on fire')
      return number
    }
    const answers = [1, 2, 3].map((number) => serially(execution, field(number)))
    const other = serially({}, field(9))
    const outcomes = await Promise.allSettled([...answers, other])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    expect(ended.filter((number) => number !== 9)).toEqual([1, 2, 3])
    // One of each execution.
    expect(most).toBe(2)
  })
})
