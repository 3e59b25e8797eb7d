import type { OpenApiDocument } from '../rest-compat/openapi.js'
import { randomOf } from '../chaos/random.js'
import { answerChecker, type FuzzAnswer } from './check-answer.js'
import { generate, remember, type FuzzRequest, type Known } from './generate.js'

/** A request whose answer is not what it has to be. */
export interface Finding {
  /** Which request of the seed it was. */
  index: number
  problem: string
  request: FuzzRequest
  answer: FuzzAnswer
}

export interface FuzzOptions {
  url: string
  key: string
  requests: number
  /** The same seed makes the same requests, as far as the answers are the same. */
  seed: number
  known: Known
  /** Called now and then, with how many requests were sent. */
  onProgress?: (sent: number) => void
}

export interface FuzzResult {
  findings: Finding[]
  /** How often each HTTP status was answered. */
  statuses: Map<number, number>
  /** Operations that succeeded at least once. */
  succeeded: Set<string>
}

/** So many requests are on their way at once. They are made before any of them is answered, so the seed decides them. */
const BATCH = 16

/** Sends requests, good and bad, over all routes, and checks every answer against the document. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { url, key, requests, seed, known } = options
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument
  const [random, check] = [randomOf(seed), answerChecker(document)]
  const result: FuzzResult = { findings: [], statuses: new Map(), succeeded: new Set() }
  for (let sent = 0; sent < requests; sent += BATCH) {
    const size = Math.min(BATCH, requests - sent)
    const batch = Array.from({ length: size }, () => generate(random, document, key, known))
    const answers = await Promise.all(batch.map((request) => send(url, request)))
    for (const [offset, request] of batch.entries()) {
      const answer = answers[offset]
      if (!answer) continue
      record(result, known, request, answer)
      const problem = check(request, answer)
      if (problem !== undefined) result.findings.push({ index: sent + offset, problem, request, answer })
    }
    options.onProgress?.(sent + size)
  }
  return result
}

function record(
  { statuses, succeeded }: FuzzResult,
  known: Known,
  request: FuzzRequest,
  { status, text }: FuzzAnswer,
): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  if (status >= 300) return
  succeeded.add(request.operationId)
  remember(known, (JSON.parse(text) as { data?: unknown }).data)
}

async function send(url: string, { method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
  try {
    const response = await fetch(url + path, { method, headers, ...(body !== undefined && { body }) })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    return { status: 0, text: JSON.stringify({ error: String(error), cause: String((error as Error).cause) }) }
  }
}

const SHOWN = 400

/** A finding in a few lines. */
export function findingText({ index, problem, request, answer }: Finding): string {
  const cut = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length})` : text)
  const { method, path, headers, body = '' } = request
  const shown = Object.entries(headers).filter(([name]) => name !== 'x-api-key')
  return [
    `#${index} ${problem}`,
    `  ${method} ${cut(path)} ${JSON.stringify(shown)}`,
    `  ${cut(body)}`,
    `  ${answer.status} ${cut(answer.text)}`,
  ].join('\n')
}
