import type { Hex } from 'viem'
import type { EvmChain } from '../../../../chains/chain.js'
import type { EvmClient } from '../../../../chains/evm/client.js'
import { readConfirmation } from '../../../../chains/evm/confirm.js'
import { costOf } from '../../../../chains/evm/l1-fee.js'
import type { AccountTransaction } from '../../../../chains/sender/evm-account.js'
import type { Clock } from '../../../../kernel/clock.js'
import { fromBaseUnits, isPositive } from '../../../../kernel/money.js'
import { gasPayerFeeEntry, HOUSE } from '../../model/house-entries.js'
import type { AlertsStore } from '../../store/alerts.js'
import type { GasPayerRows } from '../../store/gas-payer-transactions.js'
import type { LedgerStore } from '../../store/ledger.js'

/** What booking the gas payer's gas needs. */
export interface BookGasDeps {
  clock: Clock
  ledger: LedgerStore
  alerts: AlertsStore
  evmClient: (chain: EvmChain) => EvmClient
}

/** A node may be behind the one that told of the nonce for so long; after that an operator is told. */
const MISSING_MS = 3_600_000

/**
 * Books what a transaction of the gas payer has cost, once, whichever of its versions landed. Its nonce is used up by a block
 * that is final.
 * @throws AppError confirm_rpc_unavailable
 */
export async function bookGas(
  deps: BookGasDeps,
  chain: EvmChain,
  rows: GasPayerRows,
  transaction: AccountTransaction,
): Promise<void> {
  const { ledger, clock, alerts } = deps
  const client = deps.evmClient(chain)
  for (const hash of [transaction.hash, ...transaction.earlierHashes]) {
    const seen = await readConfirmation(client, chain, hash as Hex)
    if (seen.state !== 'confirmed' && seen.state !== 'reverted') continue
    const { symbol: currency, decimals } = chain.nativeCoin
    const cost = { amount: fromBaseUnits(costOf(seen.receipt), decimals), currency }
    await rows.end(transaction, async (em) => {
      if (isPositive(cost.amount))
        await ledger.book(em, { ...HOUSE, at: clock.now() }, gasPayerFeeEntry(hash, chain.name, cost))
    })
    return
  }
  const missingSince = await rows.noteMissing(transaction, clock.now())
  if (clock.now().getTime() - missingSince.getTime() < MISSING_MS) return
  const details = `${transaction.hash}, nonce ${transaction.nonce}: ${transaction.purpose}`
  await alerts.raise({ kind: 'gas_unknown', subject: `${chain.name}:${transaction.hash}`, details })
  await rows.end(transaction, () => Promise.resolve())
}
