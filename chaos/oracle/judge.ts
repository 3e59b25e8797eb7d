import { setTimeout as delay } from 'node:timers/promises'
import type { Finding, JournalEntry, ReceivedWebhook, HarnessView } from '../view.js'
import { checkAnswers } from './check-answers.js'
import { checkBalances } from './check-balances.js'
import { checkCards } from './check-cards.js'
import { checkLedger } from './check-ledger.js'
import { checkOrders } from './check-orders.js'
import { checkPayers } from './check-payers.js'
import { checkPayments } from './check-payments.js'
import { checkPeople } from './check-people.js'
import { checkPix } from './check-pix.js'
import { checkRest } from './check-rest.js'
import { checkWebhooks } from './check-webhooks.js'
import { checkYield } from './check-yield.js'
import { withEvidence, type Check } from './evidence.js'

const CHECKS: readonly Check[] = [
  checkAnswers,
  checkPayments,
  checkOrders,
  checkBalances,
  checkPayers,
  checkPix,
  checkCards,
  checkLedger,
  checkRest,
  checkWebhooks,
  checkYield,
  checkPeople,
]

/**
 * Holds a harness that has come to rest to what its clients were told, by what database, chains and providers show. It
 * shares no code with the product, so that a mistake there is not made here again.
 * @param receivedWebhooks all that came to the tenants; left out, webhooks are not judged
 * @returns what is not as it was promised; nothing where all is well
 */
export async function judge(
  view: HarnessView,
  journal: readonly JournalEntry[],
  receivedWebhooks?: readonly ReceivedWebhook[],
): Promise<Finding[]> {
  return withEvidence({ view, journal, webhooks: receivedWebhooks }, async (evidence) => {
    const found: Finding[] = []
    // One after the other: they share a connection, and the harness should not notice them.
    for (const check of CHECKS) found.push(...(await check(evidence)))
    return found
  })
}

const PAUSE_MS = 1_000

/**
 * As `judge`, for a harness that is coming to rest: judges again and again, until nothing is found or the time is over. What
 * was still on its way is no finding any more then; what was done twice, or was lost, stays one.
 */
export async function judgeAtRest(
  view: HarnessView,
  journal: readonly JournalEntry[],
  received: { webhooks?: readonly ReceivedWebhook[]; withinMs: number },
): Promise<Finding[]> {
  const until = performance.now() + received.withinMs
  for (;;) {
    // A harness that does not answer is not at rest yet, or has a finding of its own in the end.
    const found = await judge(view, journal, received.webhooks).catch((error: unknown): Finding[] => [
      { promise: 'pools', text: `the harness does not let itself be judged: ${String(error)}` },
    ])
    if (found.length === 0 || performance.now() > until) return found
    await delay(PAUSE_MS)
  }
}
