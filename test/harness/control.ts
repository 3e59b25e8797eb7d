import type { Harness } from './harness.js'

/** Sends JSON to a control route. @returns its answer @throws Error where it is no success */
export async function postJson(url: string, body: object = {}): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`)
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

/** Makes the next calls of a simulator fail, or those `about` something: all ten for `down`, one for the others. */
export async function fault(
  simulatorUrl: string,
  mode: 'down' | 'slow' | 'error' | 'ok',
  about?: string,
): Promise<void> {
  // Slow is longer than the product waits for a provider.
  await postJson(`${simulatorUrl}/sandbox/faults`, { mode, times: mode === 'down' ? 10 : 1, ms: 11_000, about })
}

/** Moves the sandbox's clock over REST: time passes for the product, its jobs and the simulators. */
export async function passTime(harness: Pick<Harness, 'rest' | 'dashboard'>, seconds: number): Promise<void> {
  const as = await harness.dashboard.platformKey()
  const { status, text } = await harness.rest('POST', '/sandbox/clock', { as, body: { advance_seconds: seconds } })
  if (status !== 200) throw new Error(text)
}
