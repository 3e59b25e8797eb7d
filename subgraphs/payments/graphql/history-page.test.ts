import { describe, expect, it } from 'vitest'
import type { Connection } from '../../../kernel/connection.js'
import type { HistoryPage } from '../store/payments.js'
import { historyConnection } from './history-page.js'

const entries = Array.from({ length: 25 }, (_, index) => ({ sequence: index + 1 }))
const read = ({ first, after }: HistoryPage) =>
  Promise.resolve(entries.filter(({ sequence }) => sequence > after).slice(0, first))

describe('a history with cursors', () => {
  it('is read page by page to its end', async () => {
    const sizes: number[] = []
    let after: string | null = null
    for (;;) {
      const { edges, pageInfo }: Connection<{ sequence: number }> = await historyConnection({ first: 10, after }, read)
      expect(pageInfo.hasPreviousPage).toBe(sizes.length > 0)
      expect(edges[0]?.node.sequence).toBe(sizes.length * 10 + 1)
      sizes.push(edges.length)
      after = pageInfo.endCursor
      if (!pageInfo.hasNextPage) break
    }
    expect(sizes).toEqual([10, 10, 5])
  })

  it('has 20 entries unless it is said otherwise, and says whether more follow', async () => {
    const { edges, pageInfo } = await historyConnection({}, read)
    expect([edges.length, pageInfo.hasNextPage, pageInfo.hasPreviousPage]).toEqual([20, true, false])
  })

  it.each([
    [{ first: 0 }, 'first'],
    [{ first: 101 }, 'first'],
    [{ after: '2' }, 'after'],
    [{ after: Buffer.from('-1').toString('base64url') }, 'after'],
  ])('is refused where it is asked for otherwise: %j', async (asked, field) => {
    await expect(historyConnection(asked, read)).rejects.toMatchObject({ errors: [{ field }] })
  })
})
