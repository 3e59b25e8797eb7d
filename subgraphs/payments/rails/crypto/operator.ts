import type { Hex } from 'viem'
import type { Pool } from 'pg'
import type { EvmChain } from '../../../../chains/chain.js'
import type { EvmClient } from '../../../../chains/evm/client.js'
import { isKnown } from '../../../../chains/evm/confirm.js'
import { readGasCap } from '../../../../chains/evm/fees.js'
import {
  estimateOperatorCost,
  readNextNonce,
  signOperatorTransaction,
  type Signer,
} from '../../../../chains/evm/operator.js'
import { relay } from '../../../../chains/evm/relay.js'
import { cancelTransaction, isCancellation, isLastingRefusal, raiseFees } from '../../../../chains/evm/replace.js'
import { ask } from '../../../../chains/evm/rpc.js'
import type { EvmCall } from '../../../../chains/evm/transfer-call.js'
import type { Clock } from '../../../../kernel/clock.js'
import { withAdvisoryLock } from '../../../../kernel/advisory-lock.js'
import { AppError } from '../../../../kernel/errors.js'
import type { OperatorAlerts } from '../../store/operator-alerts.js'
import type { OperatorTransaction, OperatorTransactionsStore } from '../../store/operator-transactions.js'

/** A transaction that is in no block after this gets higher fees. */
const STUCK_MS = 60_000
/** What one transaction may cost: sharing out to 50 receivers takes some 3 million, and receivers' code runs in it. */
const GAS_MAX = 6_000_000n

/** The account that pays the gas of settlements; it never holds a payer's or a receiver's money. */
export interface Operator {
  /**
   * Sees to it that a transaction for `purpose` is on its way: signs and sends one, or sends the one again that was written
   * down for it, and so all that were written down before. Two workers do it once; who finds another at it gets `busy` and
   * comes again. What is sent may be sent for nothing: each purpose has to bear that.
   * @returns the transaction's state as the chain shows it now
   * @throws AppError broadcast_simulation_failed where the call would revert, broadcast_rejected where no node takes it,
   *   provider_*, confirm_rpc_unavailable
   */
  send: (chain: EvmChain, purpose: string, call: EvmCall) => Promise<'busy' | 'sent'>
}

interface OperatorDeps {
  pool: Pool
  clock: Clock
  signer: Signer
  transactions: OperatorTransactionsStore
  alerts: OperatorAlerts
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
        for (const [index, transaction] of open.entries()) {
          await attempt(deps, transaction, () => bringOn(deps, chain, transaction, index === 0))
        }
        if (!written) await sendNew(deps, chain, { purpose, call, open })
        return 'sent' as const
      })
      return locked?.result ?? 'busy'
    },
  }
}

/** Marks those whose nonces the chain has used up, and gives the others. */
async function closeMined(
  deps: OperatorDeps,
  chain: EvmChain,
  open: readonly OperatorTransaction[],
): Promise<OperatorTransaction[]> {
  if (open.length === 0) return []
  const client = deps.evmClient(chain)
  const { address } = deps.signer
  const used = await ask('confirm', () => client.getTransactionCount({ address, blockTag: 'latest' }))
  for (const transaction of open) if (transaction.nonce < used) await deps.transactions.markFinal(transaction)
  return open.filter(({ nonce }) => nonce >= used)
}

/** One transaction's trouble is told, and is not the others'. */
async function attempt(
  { alerts }: OperatorDeps,
  { chainName, purpose }: OperatorTransaction,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const details = `${purpose}: ${error.details ?? error.code}`
    await alerts.raise({ kind: 'operator_stuck', subject: chainName, details })
  }
}

/** Sends a transaction again where it is not known any more; the first of all gets higher fees where it waits for long. */
async function bringOn(
  deps: OperatorDeps,
  chain: EvmChain,
  transaction: OperatorTransaction,
  isFirst: boolean,
): Promise<void> {
  const client = deps.evmClient(chain)
  const { hash, raw, purpose, createdAt } = transaction
  const isStuck = isFirst && deps.clock.now().getTime() - createdAt.getTime() >= STUCK_MS
  if (!isStuck) {
    if (!(await isKnown(client, hash as Hex))) await relayOrFree(deps, chain, transaction)
    return
  }
  const details = `${purpose} is in no block`
  await deps.alerts.raise({ kind: 'operator_stuck', subject: chain.name, details })
  const dearer = await raiseFees(client, deps.signer, raw as Hex)
  await relayOrFree(deps, chain, await deps.transactions.replace(transaction, { ...dearer, purpose }, deps.clock.now()))
}

/**
 * Sends a transaction that is written down. Where no node will ever take it, another takes its nonce that does nothing, or
 * everything behind it would wait for ever; its purpose may be tried again.
 * @throws AppError as `relay`
 */
async function relayOrFree(deps: OperatorDeps, chain: EvmChain, transaction: OperatorTransaction): Promise<void> {
  const client = deps.evmClient(chain)
  const { signer, clock, transactions } = deps
  const raw = transaction.raw as Hex
  try {
    await relay(client, raw)
  } catch (error) {
    const isLasting =
      error instanceof AppError && error.code === 'broadcast_rejected' && isLastingRefusal(error.details ?? '')
    if (isLasting && !isCancellation(raw, signer.address)) {
      const nothing = await cancelTransaction(client, signer, raw)
      const purpose = `free:${transaction.nonce}`
      await transactions.replace(transaction, { ...nothing, purpose }, clock.now())
      await relay(client, nothing.raw)
    }
    throw error
  }
}

async function sendNew(
  deps: OperatorDeps,
  chain: EvmChain,
  { purpose, call, open }: { purpose: string; call: EvmCall; open: readonly OperatorTransaction[] },
): Promise<void> {
  const { signer, clock, transactions } = deps
  const client = deps.evmClient(chain)
  const [cost, cap] = await Promise.all([estimateOperatorCost(client, signer.address, call), readGasCap(client)])
  const gasMax = cap < GAS_MAX ? cap : GAS_MAX
  if (cost.gas > gasMax) {
    throw new AppError('broadcast_rejected', { details: `it needs ${cost.gas} gas, more than ${gasMax}` })
  }
  const after = open.reduce((highest, { nonce }) => Math.max(highest, nonce + 1), 0)
  const nonce = Math.max(await readNextNonce(client, signer.address), after)
  const { hash, raw } = await signOperatorTransaction(signer, { ...call, ...cost, chainId: chain.chainId, nonce })
  const transaction: OperatorTransaction = {
    chainName: chain.name,
    operator: signer.address,
    nonce,
    purpose,
    hash,
    raw,
    state: 'stored',
    createdAt: clock.now(),
  }
  await transactions.add(transaction)
  await relayOrFree(deps, chain, transaction)
}
