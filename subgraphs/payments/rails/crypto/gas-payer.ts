import type { Hex } from 'viem'
import type { Pool } from 'pg'
import type { EvmChain } from '../../../../chains/chain.js'
import { readFinality } from '../../../../chains/evm/canonical.js'
import { isKnown } from '../../../../chains/evm/confirm.js'
import { readGasCap } from '../../../../chains/evm/fees.js'
import { estimateCost, readNextNonce, signTransaction, type Signer } from '../../../../chains/evm/signer.js'
import { broadcast } from '../../../../chains/evm/broadcast.js'
import {
  cancelTransaction,
  isCancellation,
  isLastingRefusal,
  mayRaiseFees,
  raiseFees,
} from '../../../../chains/evm/replace.js'
import { ask } from '../../../../chains/evm/rpc.js'
import type { EvmCall } from '../../../../chains/evm/transfer-call.js'
import { withAdvisoryLock } from '../../../../kernel/advisory-lock.js'
import { AppError } from '../../../../kernel/errors.js'
import { fromBaseUnits } from '../../../../kernel/money.js'
import type { GasPayerTransaction } from '../../store/gas-payer-transactions.js'
import type { GasPayer } from '../gas-payer.js'
import { bookGas, type BookGasDeps } from './book-gas.js'

/** A transaction that is in no block after this gets higher fees. */
const STUCK_MS = 60_000
/** What one transaction may cost: sharing out to 50 receivers takes some 3 million, and receivers' code runs in it. */
const GAS_MAX = 6_000_000n

interface GasPayerDeps extends BookGasDeps {
  pool: Pool
  signer: Signer
}

/** A gas payer that keeps its own count of nonces in the database, one transaction after the other on each chain. */
export function createGasPayer(deps: GasPayerDeps): GasPayer {
  const { address } = deps.signer
  const lockName = ({ name }: EvmChain): string => `operator:${name}:${address}`
  return {
    account: address,
    readBalance: async (chain) => {
      const units = await ask('confirm', () => deps.evmClient(chain).getBalance({ address }))
      return fromBaseUnits(units, chain.nativeCoin.decimals)
    },
    send: async (chain, purpose, call) => {
      const locked = await withAdvisoryLock(deps.pool, lockName(chain), async (lock) => {
        const before = await deps.transactions.findOpen(chain.name, address)
        const open = await closeMined(deps, chain, before)
        const written = open.find((transaction) => transaction.purpose === purpose)
        // What was on its way has been mined since the caller read the chain: it has to read again before it asks for more.
        const wasMined = !written && before.some((transaction) => transaction.purpose === purpose)
        await lock.assertHeld()
        // Those before it have to be on their way too, or its nonce would wait for theirs.
        for (const [index, transaction] of open.entries()) {
          const trouble = await attempt(deps, transaction, () => advance(deps, chain, transaction, index === 0))
          if (trouble && transaction === written) throw trouble
        }
        if (!written && !wasMined) await sendNew(deps, chain, { purpose, call, open })
        return 'sent' as const
      })
      return locked?.result ?? 'busy'
    },
    hasUnfinal: (chainName) => deps.transactions.hasUnfinal(chainName, address),
    follow: async (chain) => {
      await withAdvisoryLock(deps.pool, lockName(chain), () => follow(deps, chain))
    },
  }
}

/** So many are sent again at once. */
const FOLLOWED_MAX = 100

async function follow(deps: GasPayerDeps, chain: EvmChain): Promise<void> {
  const { transactions, signer, evmClient } = deps
  const client = evmClient(chain)
  const { address } = signer
  const used = await ask('confirm', () => client.getTransactionCount({ address, blockTag: 'latest' }))
  const from = await transactions.findFrom(chain.name, address, used, FOLLOWED_MAX)
  if (from.some(({ state }) => state === 'final')) {
    // What is only behind the node that answered is there already, and another send of it harmless.
    for (const { raw } of from) {
      await broadcast(client, raw as Hex).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error
      })
    }
    return
  }
  const { final } = await readFinality(client, chain, [])
  if (final < 0n) return
  const blockNumber = final
  const finallyUsed = await ask('confirm', () => client.getTransactionCount({ address, blockNumber }))
  for (const transaction of await transactions.findBelow(chain.name, address, finallyUsed, FOLLOWED_MAX)) {
    await bookGas(deps, chain, transaction)
  }
}

/** Marks those whose nonces the chain has used up, and gives the others. */
async function closeMined(
  deps: GasPayerDeps,
  chain: EvmChain,
  open: readonly GasPayerTransaction[],
): Promise<GasPayerTransaction[]> {
  if (open.length === 0) return []
  const client = deps.evmClient(chain)
  const { address } = deps.signer
  const used = await ask('confirm', () => client.getTransactionCount({ address, blockTag: 'latest' }))
  for (const transaction of open)
    if (transaction.nonce < used) await deps.transactions.markFinal(transaction, deps.clock.now())
  return open.filter(({ nonce }) => nonce >= used)
}

/** One transaction's trouble is told, and is not the others'. Returns it. */
async function attempt(
  { alerts }: GasPayerDeps,
  { chainName, purpose }: GasPayerTransaction,
  work: () => Promise<void>,
): Promise<AppError | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const details = `${purpose}: ${error.details ?? error.code}`
    await alerts.raise({ kind: 'operator_stuck', subject: chainName, details })
    return error
  }
}

/** Sends a transaction again where it is not known any more; the first of all gets higher fees where it waits for long. */
async function advance(
  deps: GasPayerDeps,
  chain: EvmChain,
  transaction: GasPayerTransaction,
  isFirst: boolean,
): Promise<void> {
  const client = deps.evmClient(chain)
  const { hash, raw, purpose, createdAt } = transaction
  const isStuck = isFirst && deps.clock.now().getTime() - createdAt.getTime() >= STUCK_MS
  const details = `${purpose} is in no block`
  if (isStuck) await deps.alerts.raise({ kind: 'operator_stuck', subject: chain.name, details })
  if (!isStuck || !(await mayRaiseFees(client, chain, raw as Hex))) {
    if (!(await isKnown(client, hash as Hex))) await broadcastOrFree(deps, chain, transaction)
    return
  }
  const dearer = await raiseFees(client, chain, deps.signer, raw as Hex)
  await broadcastOrFree(
    deps,
    chain,
    await deps.transactions.replace(transaction, { ...dearer, purpose }, deps.clock.now()),
  )
}

/**
 * Sends a transaction that is written down. Where no node will ever take it, another takes its nonce that does nothing, or
 * everything behind it would wait for ever; its purpose may be tried again.
 * @throws AppError as `broadcast` does, also where the nonce was freed
 */
async function broadcastOrFree(deps: GasPayerDeps, chain: EvmChain, transaction: GasPayerTransaction): Promise<void> {
  const client = deps.evmClient(chain)
  const { signer, clock, transactions } = deps
  const raw = transaction.raw as Hex
  try {
    await broadcast(client, raw)
  } catch (error) {
    const isLasting =
      error instanceof AppError && error.code === 'broadcast_rejected' && isLastingRefusal(error.details ?? '')
    if (isLasting && !isCancellation(raw, signer.address)) {
      const nothing = await cancelTransaction(client, signer, raw)
      const purpose = `free:${transaction.nonce}`
      await transactions.replace(transaction, { ...nothing, purpose }, clock.now())
      await broadcast(client, nothing.raw)
    }
    throw error
  }
}

async function sendNew(
  deps: GasPayerDeps,
  chain: EvmChain,
  { purpose, call, open }: { purpose: string; call: EvmCall; open: readonly GasPayerTransaction[] },
): Promise<void> {
  const { signer, clock, transactions } = deps
  const client = deps.evmClient(chain)
  const cap = await readGasCap(client)
  const gasMax = cap < GAS_MAX ? cap : GAS_MAX
  const cost = await estimateCost(client, signer.address, call, { gasMax, capped: chain })
  if (cost.gas > gasMax) {
    throw new AppError('broadcast_rejected', { details: `it needs ${cost.gas} gas, more than ${gasMax}` })
  }
  const after = open.reduce((highest, { nonce }) => Math.max(highest, nonce + 1), 0)
  // A node that is behind, or a chain that has dropped some, counts fewer than were signed.
  const written = await transactions.nextNonce(chain.name, signer.address)
  const nonce = Math.max(await readNextNonce(client, signer.address), after, written)
  const { hash, raw } = await signTransaction(signer, { ...call, ...cost, chainId: chain.chainId, nonce })
  const transaction: GasPayerTransaction = {
    chainName: chain.name,
    operator: signer.address,
    nonce,
    purpose,
    hash,
    earlierHashes: [],
    raw,
    state: 'stored',
    createdAt: clock.now(),
    checkAt: null,
  }
  await transactions.add(transaction)
  await broadcastOrFree(deps, chain, transaction)
}
