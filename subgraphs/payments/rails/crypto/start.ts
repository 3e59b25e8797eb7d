import { SPLIT_VERSION } from '../../../../chains/evm/forwarder.js'
import { toBaseUnits } from '../../../../kernel/money.js'
import type { ChainAccess } from '../../model/chain-access.js'
import type { CreateTransactionInput } from '../../model/transaction-input.js'
import { lockQuote, type LockQuoteDeps } from '../../prices/lock-quote.js'
import type { Payment } from '../../store/payment.entity.js'
import type { RailDeps, StartedTransaction } from '../rail.js'
import { checkSplitCost, type SplitBudget } from './check-split-cost.js'
import { checkReceivers, destinationOf } from './destination.js'
import { prepareEvm } from './start-evm.js'
import { prepareSolana } from './start-solana.js'

/** What building a payer's transaction needs. */
type CryptoDeps = ChainAccess &
  LockQuoteDeps &
  SplitBudget &
  Pick<RailDeps, 'broadcasts' | 'payments' | 'router' | 'log'>

/** Quotes the payment and builds the transaction that the payer has to sign. See `Rail.start`. */
export async function startCrypto(
  deps: CryptoDeps,
  payment: Payment,
  input: CreateTransactionInput,
): Promise<StartedTransaction> {
  const { payerWallet, chainName, payerTokenSymbol } = input
  const chain = deps.settings.chains.find(({ name }) => name === chainName)
  if (!chain || !payerWallet || !payerTokenSymbol) throw new Error('the payer was not checked')
  const destination = destinationOf(deps, { ...payment, splitVersion: SPLIT_VERSION }, chain.name)
  checkReceivers(destination)
  const request = { payment, payer: payerWallet, symbol: payerTokenSymbol, destination }
  // What cannot be built is refused before a price is asked for.
  const build = await (chain.family === 'evm'
    ? prepareEvm(deps, { ...request, chain })
    : prepareSolana(deps, { ...request, chain }))
  const quote = await lockQuote(deps, payment, destination.asset.decimals, 'transfer')
  await checkSplitCost(deps, payment, destination, quote.amountTo)
  const unsignedTransaction = await build(toBaseUnits(quote.amountTo, destination.asset.decimals))
  const change = {
    status: 'pending' as const,
    transactionType: input.transactionType,
    // A wallet says nothing of who holds it: what is known of the payer stays, e.g. whom a trial asks by e-mail.
    payerEmail: input.payerEmail ?? payment.payerEmail ?? null,
    payerWallet,
    chainName,
    payerTokenSymbol,
    payerCpf: null,
    amountTo: quote.amountTo,
    quoteId: quote.id,
    chargeId: null,
    unsignedTransaction,
    splitVersion: destination.split ? SPLIT_VERSION : null,
    signedTransaction: null,
    tidHash: null,
    dataError: null,
    globalPaymentData: { message: 'Waiting for the signed transaction.' },
  }
  return { change, quote }
}
