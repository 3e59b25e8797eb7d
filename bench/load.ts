import { connect, wireText, type Connection, type WireRequest } from './http-client.js'

/** What the load generator is told to do. */
export interface LoadOrder {
  port: number
  connections: number
  durationMs: number
  /** Sent in turn, over and over. */
  exchanges: readonly Exchange[]
  /** The name of a header that is different on every request: its value is this text and a number. */
  unique?: { header: string; prefix: string }
}

/** A request with what has to come back. */
export interface Exchange {
  request: WireRequest
  status: number
  /** The body: exactly this text, or a text of this pattern where the answer has an id of its own. */
  expected: { text: string } | { pattern: string }
}

/** What the load generator measured. */
export interface LoadResult {
  /** Answers in the measured time. */
  answers: number
  /** Answers in all, with those that came after it. */
  allAnswers: number
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  wrong: number
  /** The first wrong answer, for people. */
  firstWrong?: string
}

/** Sends requests on all connections until the time is over, and looks at every answer. */
async function generateLoad(order: LoadOrder): Promise<LoadResult> {
  const checks = order.exchanges.map(({ request, status, expected }) => ({
    isRight: checkOf(status, expected),
    textOf: textOf(request, order.unique),
  }))
  const connections = await Promise.all(Array.from({ length: order.connections }, () => connect(order.port)))
  const endMs = performance.now() + order.durationMs
  const latenciesMs: number[] = []
  let [next, allAnswers, wrong] = [0, 0, 0]
  let firstWrong: string | undefined

  async function drive(connection: Connection): Promise<void> {
    for (;;) {
      const sentMs = performance.now()
      if (sentMs >= endMs) return
      const number = next++
      const check = checks[number % checks.length]
      if (!check) throw new Error('there is nothing to send')
      const answer = await connection.send(check.textOf(number))
      const doneMs = performance.now()
      allAnswers += 1
      if (!check.isRight(answer.status, answer.body)) {
        wrong += 1
        firstWrong ??= `${answer.status} ${answer.body.slice(0, 500)}`
      }
      if (doneMs < endMs) latenciesMs.push(doneMs - sentMs)
    }
  }

  await Promise.all(connections.map(drive))
  for (const connection of connections) connection.close()
  latenciesMs.sort((one, other) => one - other)
  const quantile = (part: number): number => latenciesMs[Math.floor(latenciesMs.length * part)] ?? NaN
  return {
    answers: latenciesMs.length,
    allAnswers,
    requestsPerSecond: latenciesMs.length / (order.durationMs / 1000),
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    wrong,
    ...(firstWrong !== undefined && { firstWrong }),
  }
}

function checkOf(status: number, expected: Exchange['expected']): (status: number, body: string) => boolean {
  if ('text' in expected) return (given, body) => given === status && body === expected.text
  const pattern = new RegExp(`^${expected.pattern}$`)
  return (given, body) => given === status && pattern.test(body)
}

/** The request's bytes; made once, except for the header that is different every time. */
function textOf(request: WireRequest, unique: LoadOrder['unique']): (number: number) => string {
  if (!unique) {
    const text = wireText(request)
    return () => text
  }
  const MARK = '\0'
  const [before = '', after = ''] = wireText({
    ...request,
    headers: { ...request.headers, [unique.header]: MARK },
  }).split(MARK)
  return (number) => `${before}${unique.prefix}${number}${after}`
}

/** This file is a process of its own: it gets its order as a message and answers with the result. */
process.once('message', (order: LoadOrder) => {
  generateLoad(order).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
