import { BY_ID } from './cases.js'
import { connect, wireText } from './http-client.js'
import { startTarget } from './start-target.js'
import type { TargetSettings } from './targets/settings.js'

/** Documents that are sent before any is timed, so that what reads documents is compiled. */
const WARM_UP = 200
const MEASURED = 200

/**
 * How long an ordinary document takes that nobody has sent before: it is parsed, validated, weighed, planned and compiled first.
 * @returns a sentence for people
 */
export async function measureFirstAnswers(settings: TargetSettings, dataDir: string, apiKey: string): Promise<string> {
  const product = await startTarget('product', settings, dataDir)
  try {
    const connection = await connect(product.port)
    const timesMs: number[] = []
    for (let number = 0; number < WARM_UP + MEASURED; number += 1) {
      const query = BY_ID.replace('payment(id', `p${number}: payment(id`)
      const request = wireText({
        ...{ method: 'POST', path: '/graphql', headers: { 'x-api-key': apiKey, 'content-type': 'application/json' } },
        body: JSON.stringify({ query, variables: { id: 'none' } }),
      })
      const sentMs = performance.now()
      const { status, body } = await connection.send(request)
      if (number >= WARM_UP) timesMs.push(performance.now() - sentMs)
      if (status !== 200 || !body.includes('PAYMENT_NOT_FOUND')) throw new Error(`${status} ${body.slice(0, 500)}`)
    }
    connection.close()
    timesMs.sort((one, other) => one - other)
    const at = (part: number): string => (timesMs[Math.floor(timesMs.length * part)] ?? NaN).toFixed(1)
    return `first answer of a document that nobody has sent before: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
  } finally {
    await product.stop()
  }
}
