import { describe, expect, it } from 'vitest'
import { successEnvelope, type Envelope } from './envelope.js'
import { keptOrMade } from './keep-envelopes.js'
import type { Reply, Route } from './route.js'
import { ROUTES } from './routes.js'

const [one, other] = ROUTES.filter(({ insteadOf }) => !insteadOf) as [Route, Route]
const reply: Reply = { http: 200, status: 'found', message: 'Found.' }

/** Makes envelopes as a route does that renames a word in its data, and counts them. */
function maker(): { make: (data: Record<string, unknown>) => Envelope; count: () => number } {
  let made = 0
  return {
    make: (data) => {
      made += 1
      data['word'] = String(data['word']).toLowerCase()
      return successEnvelope(reply, data)
    },
    count: () => made,
  }
}

describe('an envelope', () => {
  it('of data that never changes is made once for each route, and the data stays as it is', () => {
    const { make, count } = maker()
    const data = Object.freeze({ word: 'SÃO', parts: Object.freeze(['A']) })
    const first = keptOrMade(one, data, make)
    expect(JSON.parse(String(first.text))).toEqual(first.envelope)
    expect(first.envelope.data).toEqual({ word: 'são', parts: ['A'] })
    expect(keptOrMade(one, data, make).text).toBe(first.text)
    keptOrMade(other, data, make)
    expect([count(), data.word]).toEqual([2, 'SÃO'])
    expect(keptOrMade(one, Object.freeze({ word: 'SÃO' }), make).text).not.toBe(first.text)
  })

  it('of other data is made for each answer, and so is one that takes something from the request', () => {
    const { make, count } = maker()
    for (let time = 0; time < 2; time += 1) expect(keptOrMade(one, { word: 'A' }, make).text).toBeUndefined()
    const route: Route = { ...one, insteadOf: { word: (body) => String(body['word']) } }
    const data = Object.freeze({ word: 'B' })
    for (let time = 0; time < 2; time += 1) expect(keptOrMade(route, data, make).text).toBeUndefined()
    expect([count(), data.word]).toEqual([4, 'B'])
  })
})
