import type { Hex } from 'viem'
import type { Pool } from 'pg'
import type { EvmChain } from '../../../../chains/chain.js'
import type { EvmClient } from '../../../../chains/evm/client.js'
import { isKnown, readConfirmation } from '../../../../chains/evm/confirm.js'
import {
  estimateOperatorCost,
  readNextNonce,
  signOperatorTransaction,
  type Signer,
} from '../../../../chains/evm/operator.js'
import { relay } from '../../../../chains/evm/relay.js'
import type { EvmCall } from '../../../../chains/evm/transfer-call.js'
import type { Clock } from '../../../../kernel/clock.js'
import { withAdvisoryLock } from '../../../../kernel/advisory-lock.js'
import type { OperatorTransaction, OperatorTransactionsStore } from '../../store/operator-transactions.js'

/** The account that pays the gas of settlements; it never holds a payer's or a receiver's money. */
export interface Operator {
  /**
   * Sees to it that a transaction for `purpose` is on its way: signs and sends one, or sends the one again that was written
   * down for it. Two workers do it once; who finds another at it gets `busy` and comes again.
   * @returns the transaction's state as the chain shows it now
   * @throws AppError broadcast_simulation_failed where the call would revert, broadcast_*, provider_*, confirm_rpc_unavailable
   */
  send: (chain: EvmChain, purpose: string, call: EvmCall) => Promise<'busy' | 'sent'>
}

interface OperatorDeps {
  pool: Pool
  clock: Clock
  signer: Signer
  transactions: OperatorTransactionsStore
  evmClient: (chain: EvmChain) => EvmClient
}

/** An operator that keeps its own count of nonces in the database, one transaction after the other on each chain. */
export function createOperator(deps: OperatorDeps): Operator {
  const { address } = deps.signer
  return {
    send: async (chain, purpose, call) => {
      const locked = await withAdvisoryLock(deps.pool, `operator:${chain.name}:${address}`, async () => {
        const open = await closeMined(deps, chain, await deps.transactions.findOpen(chain.name, address))
        const written = open.find((transaction) => transaction.purpose === purpose)
        // Those before it have to be on their way too, or its nonce would wait for theirs.
        for (const transaction of open) await sendAgain(deps, chain, transaction)
        if (!written) await sendNew(deps, chain, { purpose, call, open })
        return 'sent' as const
      })
      return locked?.result ?? 'busy'
    },
  }
}

/** Marks what is in a block by now, and gives what is not. */
async function closeMined(
  deps: OperatorDeps,
  chain: EvmChain,
  open: readonly OperatorTransaction[],
): Promise<OperatorTransaction[]> {
  const waiting: OperatorTransaction[] = []
  for (const transaction of open) {
    const { state } = await readConfirmation(
      deps.evmClient(chain),
      { ...chain, confirmations: 1 },
      transaction.hash as Hex,
    )
    if (state === 'confirmed' || state === 'reverted') await deps.transactions.markFinal(transaction)
    else waiting.push(transaction)
  }
  return waiting
}

async function sendAgain(deps: OperatorDeps, chain: EvmChain, { hash, raw }: OperatorTransaction): Promise<void> {
  const client = deps.evmClient(chain)
  if (!(await isKnown(client, hash as Hex))) await relay(client, raw as Hex)
}

async function sendNew(
  deps: OperatorDeps,
  chain: EvmChain,
  { purpose, call, open }: { purpose: string; call: EvmCall; open: readonly OperatorTransaction[] },
): Promise<void> {
  const { signer, clock, transactions } = deps
  const client = deps.evmClient(chain)
  const cost = await estimateOperatorCost(client, signer.address, call)
  const after = open.reduce((highest, { nonce }) => Math.max(highest, nonce + 1), 0)
  const nonce = Math.max(await readNextNonce(client, signer.address), after)
  const { hash, raw } = await signOperatorTransaction(signer, { ...call, ...cost, chainId: chain.chainId, nonce })
  await transactions.add({
    chainName: chain.name,
    operator: signer.address,
    nonce,
    purpose,
    hash,
    raw,
    state: 'stored',
    createdAt: clock.now(),
  })
  await relay(client, raw)
}
