import { isDeepStrictEqual } from 'node:util'
import type { Case, TargetName } from './cases.js'
import { connect, wireText } from './http-client.js'
import type { Exchange } from './load.js'

/** An id of ours, wherever it stands in an answer. */
const ID = 'c[a-z0-9]{24}'

/**
 * Asks a target every question of a case once, and gives the exchanges to measure with: the questions with the answers,
 * which from now on may not differ by a byte, except in what a case says to vary with the time.
 * @param known what the answers are about, by case: filled by the first target, and the same for all others
 * @throws where an answer is not right
 */
export async function learnAnswers(
  port: number,
  target: TargetName,
  measured: Case,
  known: Map<string, unknown[]>,
): Promise<Exchange[]> {
  const connection = await connect(port)
  const exchanges: Exchange[] = []
  const essences: unknown[] = []
  for (const request of measured.requests[target] ?? []) {
    const sent = measured.writes
      ? { ...request, headers: { ...request.headers, 'idempotency-key': newKey() } }
      : request
    const { status, body } = await connection.send(wireText(sent))
    const fail = (what: string): never => {
      throw new Error(`${target}, ${measured.name}: ${what}: ${status} ${body.slice(0, 1000)}`)
    }
    if (status >= 300) fail('the question was refused')
    const essence = measured.essence(target, JSON.parse(body))
    if (measured.writes) {
      if (typeof essence !== 'string' || !new RegExp(`^${ID}$`).test(essence)) fail('no id in the answer')
      const [before = '', after = ''] = body.split(String(essence)).map(escaped)
      exchanges.push({ request, status, expected: { pattern: `${before}${ID}${after}` } })
    } else {
      essences.push(essence)
      exchanges.push({ request, status, expected: expectationOf(body, measured.varying) })
      const expected = known.get(measured.name)?.[essences.length - 1]
      if (expected !== undefined && !isDeepStrictEqual(essence, expected)) {
        fail(`not the answer of the other targets (${JSON.stringify(expected)})`)
      }
    }
  }
  connection.close()
  if (!measured.writes) known.set(measured.name, essences)
  return exchanges
}

/** The same text again, but for the fields that tell of the moment: those have to be of the given pattern. */
function expectationOf(body: string, varying: Case['varying'] = {}): Exchange['expected'] {
  const names = Object.keys(varying)
  if (names.length === 0) return { text: body }
  const field = new RegExp(`"(${names.join('|')})":("[^"]*"|[^,}\\]]+)`, 'g')
  let [pattern, end] = ['', 0]
  for (const found of body.matchAll(field)) {
    pattern += `${escaped(body.slice(end, found.index))}"${found[1]}":${varying[found[1] ?? '']}`
    end = found.index + found[0].length
  }
  return { pattern: `${pattern}${escaped(body.slice(end))}` }
}

/** A key that no request had before. */
function newKey(): string {
  return `bench-${process.pid}-${process.hrtime.bigint()}`
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
