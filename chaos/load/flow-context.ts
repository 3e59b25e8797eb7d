import { setTimeout as delay } from 'node:timers/promises'
import type { HarnessView } from '../view.js'
import { GaveUpError, type Answer, type Client } from './client.js'
import type { EvmPurse } from './evm-purse.js'
import type { SolanaPurse } from './solana-purse.js'
import type { OrderShelf } from './order-shelf.js'

/** What a flow has to work with: one tenant's client, and what the tenant's payers share. */
export interface FlowContext {
  view: HarnessView
  client: Client
  evm: EvmPurse
  solana: SolanaPurse
  orders: OrderShelf
  /** The e-mail address of the tenant's verified payer; undefined until there is one. */
  verifiedEmail: () => string | undefined
}

const FINAL = new Set(['success', 'error', 'reproved'])
const POLL_MS = 700

/** The payment as its tenant reads it. @throws GaveUpError */
export function readPayment({ client }: FlowContext, rail: string, id: string): Promise<Answer> {
  return client.call({ method: 'GET', path: `/payment/${id}/status`, rail, operation: 'payment', id })
}

/** Looks until the payment has come to an end, or the load's time is over. @returns the last status seen */
export async function untilEnd(context: FlowContext, rail: string, id: string, maxMs = 120_000): Promise<string> {
  const until = performance.now() + maxMs
  for (;;) {
    const { data } = await readPayment(context, rail, id)
    const status = String(data['status'])
    if (FINAL.has(status) || context.client.isOver() || performance.now() > until) return status
    await delay(POLL_MS)
  }
}

/** Calls a control route of a simulator until it answers; the way to it has no faults, the simulator may be starting. */
export async function control(
  { client }: FlowContext,
  url: string,
  body: object = {},
): Promise<{ status: number; body: unknown }> {
  for (;;) {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      })
      return { status: response.status, body: await response.json() }
    } catch (error) {
      if (client.isOver()) throw new GaveUpError(`${url} had no answer`, { cause: error })
      await delay(500)
    }
  }
}
