import type { DocumentNode } from 'graphql'
import { buildSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { documentLru } from '../kernel/document-size.js'
import { documents, type Prepared } from '../kernel/subgraph-http.js'
import { dataSource } from './data-source.js'

const MB = 1024 * 1024
/** A fetch with literals of a client's in it, which is another one for each client's request. */
const fetchOf = (number: number): string => `{ a(id: "${number}", x: [${'"literal", '.repeat(300)}]) }`

describe('the texts of fetches that stay parsed', () => {
  it('are bounded by what they take in the gateway', async () => {
    const cache = documentLru<DocumentNode>(2 * MB)
    const parsed = new Set<DocumentNode>()
    const source = dataSource(({ document }) => {
      parsed.add(document)
      return Promise.resolve({ data: {} })
    }, cache)
    const fetch = (query: string) => source.process({ request: { query }, context: {} } as never)
    for (let number = 0; number < 200; number += 1) {
      await fetch(fetchOf(number))
      expect(cache.calculatedSize).toBeLessThanOrEqual(2 * MB)
    }
    await fetch(fetchOf(199))
    expect(parsed.size).toBe(200)
    await fetch(fetchOf(0))
    expect(parsed.size).toBe(201)
    for (const document of parsed) expect(document.loc).toBeUndefined()
  })

  it('are bounded by what they take in the subgraph, valid or not', () => {
    const cache = documentLru<Prepared>(2 * MB)
    const prepare = documents(buildSchema('type Query { a(id: ID, x: [String]): Int }'), cache)
    for (let number = 0; number < 100; number += 1) {
      expect(prepare(fetchOf(number))).toHaveProperty('document')
      expect(prepare(`{ b${number} ${fetchOf(number).slice(1)}`)).toHaveProperty('errors')
      expect(cache.calculatedSize).toBeLessThanOrEqual(2 * MB)
    }
    expect(prepare(fetchOf(99))).toBe(prepare(fetchOf(99)))
  })
})
