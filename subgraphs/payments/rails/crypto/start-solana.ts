import { PublicKey } from '@solana/web3.js'
import type { SolanaChain } from '../../../../chains/chain.js'
import { shareAmounts } from '../../../../chains/shares.js'
import { buildTransfer } from '../../../../chains/solana/build-transfer.js'
import { validationError } from '../../../../kernel/errors.js'
import type { ChainAccess } from '../../model/chain-access.js'
import type { SolanaUnsignedTransaction } from '../../model/unsigned-transaction.js'
import type { Destination, PayerRequest } from './destination.js'

/**
 * Checks that a payer on Solana can be served, and gives what then builds the transaction for an amount in base units.
 * Routes are not offered there: what a router's transaction would do cannot be checked before it is handed out.
 * @throws validation_error where another token or chain would be needed, or the wallet cannot sign
 */
export function prepareSolana(
  deps: Pick<ChainAccess, 'solanaClient'>,
  { payment, chain, payer, symbol, destination }: PayerRequest & { chain: SolanaChain },
): (amountOut: bigint) => Promise<SolanaUnsignedTransaction> {
  if (destination.chain.name !== chain.name) {
    throw refuse('chainName', `wallets on ${chain.name} cannot pay receivers on ${destination.chain.name}`)
  }
  if (payment.toCurrencySymbol !== symbol) {
    throw refuse('payerTokenSymbol', `wallets on ${chain.name} can only pay in ${payment.toCurrencySymbol}`)
  }
  if (!PublicKey.isOnCurve(payer)) throw refuse('payerWallet', 'must be a wallet that can sign')
  const client = deps.solanaClient(chain)
  return async (amountOut) => {
    const shares = sharesOf(destination, amountOut)
    const request = await buildTransfer({
      client,
      from: payer,
      asset: destination.asset,
      symbol,
      shares,
      paymentId: payment.id,
    })
    return {
      schemaVersion: 1,
      family: 'solana',
      chainName: chain.name,
      ...request,
      meta: { source: 'solana_transfer' },
    }
  }
}

/** What each receiver gets of an amount, in base units; exact, see `shareAmounts`. */
export function sharesOf({ receivers }: Destination, amount: bigint): { wallet: string; amount: bigint }[] {
  const amounts = shareAmounts(
    amount,
    receivers.map(({ percent }) => percent),
  )
  return receivers.map(({ wallet }, index) => ({ wallet, amount: amounts[index] ?? 0n }))
}

function refuse(field: string, message: string): Error {
  return validationError([{ field, message }])
}
