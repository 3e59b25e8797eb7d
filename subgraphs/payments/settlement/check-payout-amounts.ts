import { minPayout } from '../../../chains/min-payout.js'
import { walletsWithoutAccount } from '../../../chains/solana/token-accounts.js'
import { UNSPENDABLE, unspendableWallets } from '../../../chains/solana/unspendable.js'
import { validationError, type FieldFailure } from '../../../kernel/errors.js'
import { fromBaseUnits, toBaseUnits } from '../../../kernel/money.js'
import type { ChainAccess } from '../model/chain-access.js'
import { notPayable } from '../model/not-payable.js'
import type { SplitReceiver } from '../../../terms/split.js'
import type { Payment } from '../store/payment.entity.js'
import { splitAmounts, type PayoutTarget } from './plan-payout.js'

interface Share {
  receiver: SplitReceiver
  units: bigint
}

/**
 * Refuses, before anybody is charged, what would cost the treasury more than it is worth: each receiver takes a transaction,
 * and on Solana one without a token account takes the rent of a new one. There it also refuses receivers who could not spend it.
 * @param amountTo what the receivers share, of their token; a decimal string
 * @throws validation_error on `paymentId` with which receiver it is about; provider_unavailable, provider_timeout
 */
export async function checkPayoutAmounts(
  deps: Pick<ChainAccess, 'solanaClient'>,
  payment: Payment,
  target: PayoutTarget,
  amountTo: string,
): Promise<void> {
  const { chain, asset } = target
  const symbol = payment.toCurrencySymbol
  const units = splitAmounts(target, amountTo)
  const shares = target.receivers.map((receiver, share): Share => ({ receiver, units: units[share] ?? 0n }))
  const least = minPayout(chain, symbol)
  const smallest = shares.reduce((low, share) => (share.units < low ? share.units : low), shares[0]?.units ?? 0n)
  if (smallest < toBaseUnits(least.amount, asset.decimals)) {
    const got = fromBaseUnits(smallest, asset.decimals)
    throw notPayable(`pays a receiver ${got} ${symbol}, the least is ${least.amount}`)
  }
  const [isNone, isUnopened] = await Promise.all([unspendable(deps, target), unopened(deps, payment, target, shares)])
  const failures = isNone.length > 0 ? isNone : isUnopened
  if (failures.length > 0) throw validationError(failures)
}

/** The receivers for whom nobody can sign: what they get is lost, however much it is. */
async function unspendable(
  deps: Pick<ChainAccess, 'solanaClient'>,
  { chain, asset, receivers }: PayoutTarget,
): Promise<FieldFailure[]> {
  if (chain.family !== 'solana') return []
  const wallets = receivers.map(({ receiverWallet }) => receiverWallet)
  const none = await unspendableWallets(deps.solanaClient(chain), asset, wallets)
  return receivers
    .filter(({ receiverWallet }) => none.has(receiverWallet))
    .map((receiver) => ofReceiver(receiver, UNSPENDABLE))
}

/** The receivers who get too little for the treasury to open an account for them. */
async function unopened(
  deps: Pick<ChainAccess, 'solanaClient'>,
  payment: Payment,
  { chain, asset }: PayoutTarget,
  shares: readonly Share[],
): Promise<FieldFailure[]> {
  if (chain.family !== 'solana' || asset.kind === 'native') return []
  const symbol = payment.toCurrencySymbol
  const { toNewAccount } = minPayout(chain, symbol)
  const small = shares.filter(({ units }) => units < toBaseUnits(toNewAccount, asset.decimals))
  if (small.length === 0) return []
  const wallets = small.map(({ receiver }) => receiver.receiverWallet)
  const missing = await walletsWithoutAccount(deps.solanaClient(chain), asset.address, wallets)
  const message = `has no token account for ${symbol} yet; open one, or receive at least ${toNewAccount}`
  return small
    .filter(({ receiver }) => missing.has(receiver.receiverWallet))
    .map(({ receiver }) => ofReceiver(receiver, message))
}

/** The split was said when the payment was registered: of what is asked for now, the payment is what is wrong. */
function ofReceiver({ receiverWallet }: SplitReceiver, message: string): FieldFailure {
  return { field: 'paymentId', message: `its receiver ${receiverWallet} ${message}` }
}
