import { describe, expect, it } from 'vitest'
import { connectionOf, readPage } from './connection.js'
import { AppError } from './errors.js'

const numberFrom = (text: string) => (/^\d+$/.test(text) ? Number(text) : undefined)
const list = Array.from({ length: 45 }, (_, index) => index)

/** A page of a list of numbers, by what a client sends. */
function page(request: { first?: number | null; after?: string | null }) {
  const { size, after } = readPage(request, numberFrom)
  const rest = after === undefined ? list : list.filter((number) => number > after)
  return connectionOf(rest.slice(0, size + 1), { size, hasPreviousPage: after !== undefined }, String)
}

describe('a list in pages', () => {
  it('shows each node once, and 20 at a time where nobody says how many', () => {
    const seen: number[] = []
    const sizes: number[] = []
    for (let after: string | null = null, more = true; more;) {
      const { edges, pageInfo } = page({ after })
      seen.push(...edges.map(({ node }) => node))
      sizes.push(edges.length)
      expect(pageInfo.hasPreviousPage).toBe(after !== null)
      expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([edges[0]?.cursor, edges.at(-1)?.cursor])
      after = pageInfo.endCursor
      more = pageInfo.hasNextPage
    }
    expect(seen).toEqual(list)
    expect(sizes).toEqual([20, 20, 5])
  })

  it('has no cursors where it is empty', () => {
    expect(page({ after: Buffer.from('44').toString('base64url') })).toEqual({
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: true, startCursor: null, endCursor: null },
    })
  })

  it('is read behind its own cursors alone where it is named in them', () => {
    const [edge] = connectionOf([44], { size: 1, hasPreviousPage: false, list: 'refund' }, String).edges
    const after = edge?.cursor
    expect(readPage({ after }, numberFrom, 'refund').after).toBe(44)
    // Of another list, of one that is not named, and of a time in which this one was not.
    const foreign = { errors: [{ field: 'after', message: 'must be a cursor of this list' }] }
    const attempts = [
      () => readPage({ after }, numberFrom, 'payment'),
      () => readPage({ after }, numberFrom),
      () => readPage({ after: Buffer.from('44').toString('base64url') }, numberFrom, 'refund'),
    ]
    for (const attempt of attempts) expect(attempt).toThrow(expect.objectContaining(foreign))
  })

  it('names everything that is wrong with what was asked for', () => {
    const failuresOf = (request: object) => {
      try {
        page(request)
        return []
      } catch (error) {
        return error instanceof AppError ? (error.errors ?? []).map(({ field }) => field) : [String(error)]
      }
    }
    expect(failuresOf({ first: 0 })).toEqual(['first'])
    expect(failuresOf({ first: 101, after: '44' })).toEqual(['first', 'after'])
    expect(failuresOf({ first: 100, after: null })).toEqual([])
    expect(failuresOf({ after: '' })).toEqual(['after'])
  })
})
