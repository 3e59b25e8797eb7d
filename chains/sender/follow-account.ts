import type { Hex } from 'viem'
import { readFinality } from '../evm/canonical.js'
import { isKnown } from '../evm/confirm.js'
import { closeMined, countUsed, isYoung, type AccountTransaction, type EvmAccount } from './evm-account.js'
import { sendAgain } from './evm-signed.js'

/** So many are sent again, or ended, at once. */
const FOLLOWED_MAX = 100

/**
 * Follows the account's transactions to finality: those that a block has taken are written down as such, those that the chain has
 * dropped with its newest blocks are sent again, the lowest nonce first, and those whose nonces a final block has used up end. Only what
 * is sent waits for those who sign.
 * @param end is called for each that is final; several may call it at once
 * @throws AppError confirm_rpc_unavailable
 */
export async function followAccount(
  account: EvmAccount,
  end: (row: AccountTransaction) => Promise<void>,
): Promise<void> {
  const { client, chain, rows } = account
  const used = await countUsed(account)
  // Nobody else may come to it: who has asked for it sees on the chain that it is done.
  await closeMined(account, await rows.findOpen(), used)
  const from = await rows.findFrom(used, FOLLOWED_MAX)
  if (await isAnyDropped(account, from)) {
    await account.exclusively(
      () => Promise.resolve(),
      async () => {
        // What is only behind the node that answered is there already, and another send of it harmless.
        for (const { raw } of from) await sendAgain(client, raw as Hex)
      },
    )
  }
  const { final } = await readFinality(client, chain, [])
  if (final < 0n) return
  for (const row of await rows.findBelow(await countUsed(account, final), FOLLOWED_MAX)) await end(row)
}

/**
 * Whether the chain has dropped any of those that it has not got. One that was never found in a block may have been in one: who had asked
 * for it has seen it there, and asks no more.
 */
async function isAnyDropped(account: EvmAccount, from: readonly AccountTransaction[]): Promise<boolean> {
  const [first] = from
  if (!first) return false
  if (from.some(({ state }) => state === 'final')) return true
  return !isYoung(account, first) && !(await isKnown(account.client, first.hash as Hex))
}
