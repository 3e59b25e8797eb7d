import type { Hex } from 'viem'
import { readFinality } from '../evm/canonical.js'
import { countUsed, type AccountTransaction, type EvmAccount } from './evm-account.js'
import { sendAgain } from './evm-signed.js'

/** So many are sent again, or ended, at once. */
const FOLLOWED_MAX = 100

/**
 * Follows the account's transactions to finality: those that the chain has dropped with its newest blocks are sent again, the
 * lowest nonce first; those whose nonces a final block has used up end.
 * @param end is called for each that is final
 * @throws AppError confirm_rpc_unavailable
 */
export async function followAccount(
  account: EvmAccount,
  end: (row: AccountTransaction) => Promise<void>,
): Promise<void> {
  const { client, chain, rows } = account
  await account.exclusively(async () => {
    const from = await rows.findFrom(await countUsed(account), FOLLOWED_MAX)
    if (from.some(({ state }) => state === 'final')) {
      // What is only behind the node that answered is there already, and another send of it harmless.
      for (const { raw } of from) await sendAgain(client, raw as Hex)
      return
    }
    const { final } = await readFinality(client, chain, [])
    if (final < 0n) return
    for (const row of await rows.findBelow(await countUsed(account, final), FOLLOWED_MAX)) await end(row)
  })
}
