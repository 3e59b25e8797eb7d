import { parseTransaction, recoverTransactionAddress, type Hex, type TransactionSerialized } from 'viem'
import type { Journal, JournalEntry } from './journal.js'
import { setTime, type AnvilClient } from './test-client.js'

/**
 * Makes again the calls that the node took and its restored state lacks, in their order and at their time: each
 * transaction in a block of its own, as the node mined them. What the state has already is refused by its nonce.
 * @returns how many the state lacked
 * @throws viem's errors where the node does not answer
 */
export async function replay(client: AnvilClient, journal: Journal): Promise<number> {
  const entries = await lasting(journal.entries())
  if (entries.length === 0) return 0
  await client.setAutomine(false)
  let lacked = 0
  for (const entry of entries) {
    const outcome = await repeat(client, entry)
    journal.answered(entry.id, outcome)
    if (outcome.taken) lacked += 1
  }
  await client.setAutomine(true)
  return lacked
}

async function repeat(
  client: AnvilClient,
  { method, params, atSeconds }: JournalEntry,
): Promise<NonNullable<JournalEntry['outcome']>> {
  const { timestamp } = await client.getBlock({ blockTag: 'latest' })
  // What has a deadline was in time then, and would not be now.
  const blockSeconds = Math.max(atSeconds, Number(timestamp))
  await setTime(client, blockSeconds)
  try {
    const result: unknown = await client.request({ method, params } as never)
    if (typeof result !== 'string') return { taken: true }
    await client.mine({ blocks: 1 })
    return { taken: true, hash: result as Hex }
  } catch (error) {
    // A refusal has a code; anything else is no answer, and the start fails rather than go on without the entry.
    if (typeof (error as { code?: unknown }).code !== 'number') throw error
    return { taken: false }
  }
}

/**
 * The calls that had their effect: not those that were refused, nor transactions that gave way to another of the same
 * account and nonce. The node takes a replacement only as long as the first is not mined, so of those it took the last one
 * counts; one whose answer is unknown counts only where there is no other.
 */
async function lasting(entries: readonly JournalEntry[]): Promise<JournalEntry[]> {
  const bySlot = new Map<string, JournalEntry>()
  for (const entry of entries.filter(({ outcome }) => outcome?.taken !== false)) {
    const slot = await slotOf(entry)
    const earlier = bySlot.get(slot)
    if (!earlier?.outcome || entry.outcome) bySlot.set(slot, entry)
  }
  return [...bySlot.values()].toSorted((one, other) => one.id - other.id)
}

/** Account and nonce of a transaction; what is none is alone in its place. */
async function slotOf({ id, method, params }: JournalEntry): Promise<string> {
  const [first] = params
  if (method !== 'eth_sendRawTransaction') {
    const { from, nonce } = (first ?? {}) as { from?: string; nonce?: string }
    return from === undefined ? String(id) : `${from.toLowerCase()} ${Number(nonce)}`
  }
  try {
    const serializedTransaction = first as TransactionSerialized
    const from = await recoverTransactionAddress({ serializedTransaction })
    return `${from.toLowerCase()} ${parseTransaction(serializedTransaction).nonce ?? 0}`
  } catch {
    return String(id)
  }
}
