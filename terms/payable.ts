import { findToken, isReceiver, type Chain } from '../chains/chain.js'
import { amountProblem, chargedProblem } from './amount.js'
import { payableMethods, type PaymentMethod, type SentMethods } from './methods.js'
import { lacksRecipient, type SentReceiver } from './split.js'

/** The terms that decide whether anything can pay. */
export interface PayableTerms {
  paymentMethodAllowed: SentMethods
  splitPaymentConfig: readonly SentReceiver[]
  fromCurrencySymbol: string
  amountFrom: string
  toCurrencySymbol: string
  /** Null where the payer names the chain. */
  toChain: string | null
}

/**
 * What terms lack, so that none of their methods could ever pay; undefined where one can. A deployment's chains and tokens
 * change, and orders were taken that would be refused today.
 */
export function whatLacks(chains: readonly Chain[], terms: PayableTerms): string | undefined {
  const methods = payableMethods(terms.paymentMethodAllowed)
  if (methods.length === 0) return 'it allows no method that can be paid'
  const amount = amountProblem(terms.amountFrom, terms.fromCurrencySymbol) ?? chargedProblem(terms)
  if (amount !== undefined) return `its amount ${amount}`
  const receivers = terms.splitPaymentConfig.filter(({ receiverPercent }) => receiverPercent !== 0)
  if (receivers.length === 0) return 'it names no receiver'
  const lacks = methods.map((method) =>
    method === 'cardfiat' ? lackInFiat(receivers) : lackOnChain(chains, terms, { receivers, method }),
  )
  return lacks.includes(undefined) ? undefined : [...new Set(lacks)].join('; ')
}

function lackInFiat(receivers: readonly SentReceiver[]): string | undefined {
  return receivers.some(lacksRecipient) ? 'not all of its receivers have a recipient_id' : undefined
}

function lackOnChain(
  chains: readonly Chain[],
  { toChain, toCurrencySymbol }: PayableTerms,
  { receivers, method }: { receivers: readonly SentReceiver[]; method: PaymentMethod },
): string | undefined {
  const named = chains.filter(({ name }) => toChain === null || name === toChain)
  if (named.length === 0) return toChain === null ? 'it names no chain' : `its chain ${toChain} is not enabled`
  const withToken = named.filter((chain) => findToken(chain, toCurrencySymbol))
  if (withToken.length === 0) return `${toCurrencySymbol} is not enabled on ${toChain ?? 'any chain'}`
  const isPaidOn = (chain: Chain) => receivers.every(({ receiverWallet }) => isReceiver(chain, receiverWallet ?? ''))
  const paying = withToken.filter(isPaidOn)
  // The treasury sends to each receiver by itself; a payer signs one transaction, which has to pay them all.
  const isShared = method === 'crypto' && receivers.length > 1
  if (paying.some((chain) => !isShared || chain.family !== 'evm' || chain.split !== null)) return undefined
  const where = withToken.map(({ name }) => name).join(' or ')
  if (paying.length > 0) return `several receivers cannot be paid on ${where}`
  return `${toChain === null ? 'it names no chain, and ' : ''}not all of its receivers have an address on ${where}`
}
