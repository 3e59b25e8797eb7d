import type { SolanaChain } from '../../../../chains/chain.js'
import type { SignedAttempt } from '../../../../chains/solana/absence.js'
import {
  hasTransactions,
  readLandedAt,
  readNamed,
  readReceived,
  verifyTransfer,
} from '../../../../chains/solana/confirm.js'
import { findSentSolana, solanaSignature } from '../../../../chains/solana/find-sent.js'
import { verifySigned } from '../../../../chains/solana/verify-signed.js'
import type { LandedTransaction } from '../../../../chains/solana/watch-statuses.js'
import { retrieveSolana, sendableSolana } from '../../../../chains/sender/solana-signed.js'
import { AppError } from '../../../../kernel/errors.js'
import { toBaseUnits } from '../../../../kernel/money.js'
import type { ChainAccess, ChainWatches } from '../../model/chain-access.js'
import type { SolanaUnsignedTransaction } from '../../model/unsigned-transaction.js'
import type { Payment } from '../../store/payment.entity.js'
import type { OnChain, PayerTransactionStatus } from '../on-chain.js'
import { destinationOf, type Destination } from './destination.js'
import { sharesOf } from './start-solana.js'

type SolanaDeps = Omit<ChainAccess, 'evmClient'> & Pick<ChainWatches, 'solanaWatch'>

/** The signed side of Solana: one transaction pays every receiver, so only a bridge is left to follow after it. */
export function solanaOnChain(deps: SolanaDeps): OnChain {
  const chainOf = (name: string): SolanaChain => {
    const chain = deps.settings.chains.find((candidate) => candidate.name === name)
    if (chain?.family !== 'solana') throw new AppError('invalid_chain')
    return chain
  }
  return {
    verifySigned: async (payment, raw) => {
      const unsigned = unsignedOf(payment)
      const chain = chainOf(unsigned.chainName)
      const signed = verifySigned(unsigned, raw)
      if (signed.hasOtherBlockhash && !(await readLandedAt(deps.solanaClient(chain), signed.signature))) {
        throw new AppError('invalid_signed_transaction', { details: 'it has another blockhash, and no block has it' })
      }
      return { hash: signed.signature, raw: signed.raw }
    },
    hashIn: solanaSignature,
    findSent: (chainName, hash) => findSentSolana(deps.solanaClient(chainOf(chainName)), hash),
    minedAt: (chainName, { hash }) => readLandedAt(deps.solanaClient(chainOf(chainName)), hash),
    // There are no nonces on Solana.
    checkNonce: () => Promise.resolve(),
    sendable: ({ chainName, hash, raw }, payment) =>
      sendableSolana(deps.solanaClient(chainOf(chainName)), { raw, signature: hash }, async () => {
        const built = await payment()
        if (!built) throw new AppError('payment_not_found')
        return attemptOf(unsignedOf(built), hash)
      }),
    watch: ({ chainName, hash }) => deps.solanaWatch(chainOf(chainName)).start(hash),
    isInBlock: async ({ chainName, hash }) => (await deps.solanaWatch(chainOf(chainName)).look(hash)) !== undefined,
    retrieveWatched: async (payment, { chainName, hash }) => {
      const chain = chainOf(chainName)
      const seen = await deps.solanaWatch(chain).look(hash)
      if (seen === undefined) return undefined
      return seen === 'confirming' ? { kind: 'waiting' } : retrieve(deps, chain, payment, { hash, seen })
    },
    retrieve: (payment, { chainName, hash }) => {
      const chain = chainOf(chainName)
      return retrieve(deps, chain, payment, { hash, seen: deps.solanaWatch(chain).seen(hash) })
    },
    // What is confirmed there is not dropped any more, and cannot be sent again after its blockhash.
    finalityOf: () => Promise.resolve('final'),
    sendAgain: () => Promise.resolve('sent'),
    mayBePaid: (payment) => {
      const unsigned = unsignedOf(payment)
      return hasTransactions(deps.solanaClient(chainOf(unsigned.chainName)), attemptOf(unsigned, '').reference)
    },
    findSpent: async (payment, _builtAt, place) => {
      const unsigned = unsignedOf(payment)
      const client = deps.solanaClient(chainOf(unsigned.chainName))
      const { signatures, until } = await readNamed(client, attemptOf(unsigned, '').reference, place)
      return { hashes: signatures, place: until }
    },
    settlementOf: (payment) => {
      const { chainName, meta } = unsignedOf(payment)
      const isElsewhere = meta.source === 'router' && destinationOf(deps, payment, chainName).chain.name !== chainName
      return { kind: isElsewhere ? 'route' : 'done' }
    },
  }
}

async function retrieve(
  deps: SolanaDeps,
  chain: SolanaChain,
  payment: Payment,
  { hash, seen }: { hash: string; seen: LandedTransaction | undefined },
): Promise<PayerTransactionStatus> {
  const unsigned = unsignedOf(payment)
  const status = await retrieveSolana(deps.solanaClient(chain), chain, attemptOf(unsigned, hash), seen)
  return status.kind === 'landed' ? judge(deps, payment, unsigned, hash) : status
}

/** Whether the transaction moved what it was built to move, as the chain's balances show it. */
async function judge(
  deps: SolanaDeps,
  payment: Payment,
  unsigned: SolanaUnsignedTransaction,
  hash: string,
): Promise<PayerTransactionStatus> {
  const { chainName, feePayer, reference, meta } = unsigned
  const destination = destinationOf(deps, payment, chainName)
  if (meta.source === 'router') return judgeRoute(deps, { payment, destination, chainName }, hash)
  const { asset, chain } = destination
  if (chain.family !== 'solana') throw new AppError('invalid_chain')
  const shares = sharesOf(destination, toBaseUnits(payment.amountTo ?? '0', asset.decimals))
  const hasPaid = await verifyTransfer(deps.solanaClient(chain), hash, { from: feePayer, asset, shares, reference })
  if (hasPaid === undefined) return { kind: 'waiting' }
  return hasPaid ? { kind: 'paid', hash } : MISMATCH
}

const MISMATCH = {
  kind: 'failed',
  code: 'transfer_mismatch',
  message: 'The transaction did not move what was asked for.',
} as const

/** Here the receiver has to have got what is due; on its way elsewhere the payer's part is done, and the bridge is followed. */
async function judgeRoute(
  deps: SolanaDeps,
  { payment, destination, chainName }: { payment: Payment; destination: Destination; chainName: string },
  hash: string,
): Promise<PayerTransactionStatus> {
  const { asset, chain, address: wallet } = destination
  if (chain.family !== 'solana' || chain.name !== chainName) return { kind: 'paid', hash }
  const received = await readReceived(deps.solanaClient(chain), chain, hash, { wallet, asset })
  if (received === undefined) return { kind: 'waiting' }
  return received >= toBaseUnits(payment.amountTo ?? '0', asset.decimals) ? { kind: 'paid', hash } : MISMATCH
}

/** The payer's own address finds what a router has built: it does not name our reference. */
function attemptOf(
  { lastValidBlockHeight, reference, feePayer, meta }: SolanaUnsignedTransaction,
  signature: string,
): SignedAttempt {
  return { signature, lastValidBlockHeight, reference: meta.source === 'router' ? feePayer : reference }
}

function unsignedOf(payment: Payment): SolanaUnsignedTransaction {
  const unsigned = payment.unsignedTransaction
  if (unsigned?.family !== 'solana') throw new AppError('missing_unsigned_transaction')
  return unsigned
}
