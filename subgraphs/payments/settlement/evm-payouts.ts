import type { Hex } from 'viem'
import type { Chain, EvmChain } from '../../../chains/chain.js'
import { broadcast } from '../../../chains/evm/broadcast.js'
import { readFinality } from '../../../chains/evm/canonical.js'
import type { EvmClient } from '../../../chains/evm/client.js'
import { findSentEvm } from '../../../chains/evm/find-sent.js'
import { BATCH_LEGS_MAX } from '../../../chains/evm/payout-batch.js'
import {
  cancelTransaction,
  isCancellation,
  isLastingRefusal,
  isUnderpriced,
  mayRaiseFees,
  raiseFees,
} from '../../../chains/evm/replace.js'
import { ask } from '../../../chains/evm/rpc.js'
import type { Signer } from '../../../chains/evm/signer.js'
import { AppError } from '../../../kernel/errors.js'
import { evmAudit, readBalances } from './evm-audit.js'
import { setupIn } from './evm-batches.js'
import { readForeignEvm } from './evm-foreign.js'
import { prepareEvm } from './evm-prepare.js'
import { countUsed, retrieveOpen } from './evm-retrieve.js'
import type { PayoutChain } from './payout-chain.js'

/** What the treasury on EVM chains is made of. */
export interface EvmPayoutsOptions {
  signer: Signer
  /** Whether it is only followed what the account has sent; its signer does not sign then. */
  isWatched?: boolean
  /** See `EvmTreasury.attempted`. */
  attempted?: Set<string>
  evmClient: (chain: EvmChain) => EvmClient
}

/** Nodes keep 16 transactions of one account that wait for a block (geth: --txpool.accountslots). */
const UNMINED_MAX = 16

/**
 * The treasury on EVM chains: payouts of one token that wait together go as one transaction, others as one each, with the
 * payments' references behind the calldata.
 */
export function evmPayouts(options: EvmPayoutsOptions): PayoutChain {
  const { signer, attempted = new Set<string>() } = options
  const clientOf = (chain: Chain): EvmClient => options.evmClient(evm(chain))
  return {
    account: signer.address,
    canSign: options.isWatched !== true,
    // By its nonces each look tells all.
    isPastRead: () => true,
    batchMax: BATCH_LEGS_MAX,
    unminedMax: UNMINED_MAX,
    areNoncesOrdered: true,
    readHead: async (chain) => Number(await ask('confirm', () => clientOf(chain).getBlockNumber())),
    prepare: (chain, wanted) => prepareEvm({ client: clientOf(chain), signer, chain: evm(chain), attempted }, wanted),
    send: async (chain, raw) => {
      const setup = setupIn(evm(chain), raw as Hex, signer.address)
      if (setup !== undefined) attempted.add(setup)
      try {
        const result = await broadcast(clientOf(chain), raw as Hex)
        if (result.kind === 'sent') return { kind: 'sent', isFresh: !result.wasKnown }
        return { kind: 'unknown', isUnderpriced: result.mayBeCheap === true }
      } catch (error) {
        if (!(error instanceof AppError) || error.code === 'confirm_rpc_unavailable') throw error
        const reason = error.details ?? error.message
        const fees = { isUnderpriced: isUnderpriced(reason) }
        // Another version took the nonce, or something else did: the chain has the last word, when it is asked.
        if (error.code === 'stale_transaction_nonce') return { kind: 'unknown', ...fees }
        return { kind: 'refused', reason, isLasting: isLastingRefusal(reason), ...fees }
      }
    },
    retrieve: (chain, open, withLegs) =>
      retrieveOpen({ client: clientOf(chain), chain: evm(chain), account: signer.address, withLegs }, open),
    nonces: {
      raiseFees: async (chain, transaction, open) => {
        const raw = transaction.raw as Hex
        const others = open.map((other) => other.raw as Hex)
        if (!(await mayRaiseFees(clientOf(chain), evm(chain), signer.address, raw, others))) return undefined
        return raiseFees(clientOf(chain), evm(chain), signer, raw, others)
      },
      free: (chain, { raw }) => cancelTransaction(clientOf(chain), signer, raw as Hex),
      isFreed: ({ raw }) => isCancellation(raw as Hex, signer.address),
    },
    finality: {
      countUsed: (chain) => countUsed(clientOf(chain), signer.address),
      read: async (chain, blockNumbers) => {
        const { final, hashAt } = await readFinality(clientOf(chain), evm(chain), blockNumbers.map(BigInt))
        return { final: Number(final), hashAt: (blockNumber) => hashAt(BigInt(blockNumber)) }
      },
    },
    readHoldings: async (chain) => {
      const blockNumber = await ask('confirm', () => clientOf(chain).getBlockNumber())
      return readBalances(clientOf(chain), evm(chain), signer.address, blockNumber)
    },
    readForeign: (chain, known) => readForeignEvm(clientOf(chain), evm(chain), signer.address, known),
    readRaw: (chain, hash) =>
      findSentEvm(clientOf(chain), hash as Hex).catch((error: unknown) => {
        // Somebody who has the key has sent it by a wallet that makes transactions of another kind.
        if (error instanceof AppError && error.code === 'invalid_signed_transaction') return undefined
        throw error
      }),
    audit: evmAudit(signer.address, (chain) => ({ client: clientOf(chain), chain: evm(chain) })),
  }
}

function evm(chain: Chain): EvmChain {
  if (chain.family !== 'evm') throw new Error(`${chain.name} is no EVM chain`)
  return chain
}
