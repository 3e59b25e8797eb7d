import { findToken, isReceiver, RECEIVERS_MAX, unknownToken, type Chain } from '../chains/chain.js'
import { failureWhen, type FieldFailure } from '../kernel/errors.js'
import { percentProblem, sumToWhole } from '../kernel/percent.js'
import { publicClientIdProblem } from '../kernel/tenant.js'
import type { Caller } from '../kernel/tenant.js'
import { amountProblem, chargedProblem } from './amount.js'
import { methodsProblem, paysInFiatOnly, type SentMethods } from './methods.js'
import { returnUrlFailures, type ReturnUrls } from './return-urls.js'
import { recipientFailures, type SentReceiver } from './split.js'
import { filled } from './subscription.js'

/** What the rules of terms need to know of the deployment. */
export interface TermsSettings {
  enabledFiats: readonly string[]
  chains: readonly Chain[]
  /** The fixed prefix of `public_client_id`, where the deployment sets one. */
  publicClientIdPrefix: string | undefined
  /** Whether a shop on this machine may be returned to without https: the sandbox's. */
  allowsLoopback?: boolean
}

/** The settings as a tenant has them, who may be narrowed to some of the deployment's fiat currencies. */
export function settingsFor(settings: TermsSettings, { fiats }: Pick<Caller, 'fiats'>): TermsSettings {
  if (!fiats) return settings
  return { ...settings, enabledFiats: settings.enabledFiats.filter((fiat) => fiats.includes(fiat)) }
}

/** Terms as a caller sends them; each may be absent, or was left out because its own form was bad. */
export interface SentTerms extends ReturnUrls {
  paymentMethodAllowed?: SentMethods | null | undefined
  /** A receiver is absent where it had not even the form of one. */
  splitPaymentConfig?: readonly (SentReceiver | null | undefined)[] | null | undefined
  fromCurrencySymbol?: string | null | undefined
  amountFrom?: string | null | undefined
  toCurrencySymbol?: string | null | undefined
  toChain?: string | null | undefined
  onRamp?: boolean | null | undefined
  tenantData?: { publicClientId?: string | null | undefined } | null | undefined
}

/** What is wrong with terms, each looked at by itself. Absent terms are left out. */
export function termFailures(settings: TermsSettings, terms: SentTerms): FieldFailure[] {
  const { fromCurrencySymbol, amountFrom, splitPaymentConfig: split, tenantData } = terms
  const { enabledFiats, publicClientIdPrefix } = settings
  const isUnknownFiat = typeof fromCurrencySymbol === 'string' && !enabledFiats.includes(fromCurrencySymbol)
  const id = tenantData?.publicClientId
  return [
    ...failureWhen(
      isUnknownFiat,
      'fromCurrencySymbol',
      () => `must be an enabled fiat currency: ${enabledFiats.join(', ')}`,
    ),
    ...problem(
      'amountFrom',
      typeof amountFrom === 'string' ? amountProblem(amountFrom, fromCurrencySymbol) : undefined,
    ),
    ...(isTooLong(split) ? [] : (split ?? [])).flatMap((receiver, index) =>
      receiverFailures(`splitPaymentConfig.${index}`, receiver),
    ),
    ...problem(
      'tenantData.publicClientId',
      typeof id === 'string' ? publicClientIdProblem(id, publicClientIdPrefix) : undefined,
    ),
    ...returnUrlFailures(terms, settings.allowsLoopback === true),
  ]
}

function receiverFailures(path: string, receiver: SentReceiver | null | undefined): FieldFailure[] {
  const { receiverWallet: wallet, receiverPercent: percent } = receiver ?? {}
  return [
    ...filled(`${path}.receiverWallet`, wallet),
    ...problem(`${path}.receiverPercent`, typeof percent === 'number' ? percentProblem(percent) : undefined),
  ]
}

/** What is wrong between terms. Rules of which a term is absent are left out. */
export function termRuleFailures({ chains }: TermsSettings, terms: SentTerms): FieldFailure[] {
  const { paymentMethodAllowed: methods, onRamp, splitPaymentConfig: split } = terms
  return [
    ...problem('paymentMethodAllowed', methods ? methodsProblem(methods) : undefined),
    ...problem('amountFrom', chargedProblem(terms)),
    ...failureWhen(Boolean(onRamp && methods?.pixcrypto), 'onRamp', 'must be false for payments received by Pix'),
    ...destinationFailures(chains, terms),
    // Of a list that is too long each receiver would say so.
    ...(isTooLong(split)
      ? [{ field: 'splitPaymentConfig', message: `must name at most ${RECEIVERS_MAX} receivers` }]
      : [...sumFailures(split ?? []), ...walletFailures(chains, terms), ...recipientFailures(methods, split)]),
  ]
}

function destinationFailures(
  chains: readonly Chain[],
  { toChain, toCurrencySymbol }: Pick<SentTerms, 'toChain' | 'toCurrencySymbol'>,
): FieldFailure[] {
  if (typeof toChain !== 'string') return []
  const chain = chains.find(({ name }) => name === toChain)
  if (!chain) return [{ field: 'toChain', message: `must be an enabled chain: ${namesOf(chains)}` }]
  const isUnknown = typeof toCurrencySymbol === 'string' && !findToken(chain, toCurrencySymbol)
  return failureWhen(isUnknown, 'toCurrencySymbol', () => unknownToken(chain))
}

function sumFailures(split: readonly (SentReceiver | null | undefined)[]): FieldFailure[] {
  const percents = split.map((receiver) => receiver?.receiverPercent)
  const usable = percents.filter((percent) => typeof percent === 'number' && percentProblem(percent) === undefined)
  // A share that is absent or bad is reported by itself; the sum would only say the same again.
  const isWhole = usable.length < percents.length || split.length === 0 || sumToWhole(usable as number[])
  return failureWhen(!isWhole, 'splitPaymentConfig', 'the percentages must sum to exactly 100')
}

/** Money that a card pays out in fiat alone goes to recipient ids: the wallet is then only a label. */
function walletFailures(
  chains: readonly Chain[],
  { toChain, paymentMethodAllowed: methods, splitPaymentConfig: split }: SentTerms,
): FieldFailure[] {
  const chain = chains.find(({ name }) => name === toChain)
  if (!split || !chain || (methods && paysInFiatOnly(methods))) return []
  return split.flatMap((receiver, index) => {
    const wallet = receiver?.receiverWallet
    // An empty one is reported as such.
    const isNone = typeof wallet === 'string' && wallet.trim() !== '' && !isReceiver(chain, wallet)
    return failureWhen(
      isNone,
      `splitPaymentConfig.${index}.receiverWallet`,
      `must be a receiver's address on ${chain.name}`,
    )
  })
}

function namesOf(chains: readonly Chain[]): string {
  return chains.map(({ name }) => name).join(', ')
}

function isTooLong(split: SentTerms['splitPaymentConfig']): boolean {
  return (split?.length ?? 0) > RECEIVERS_MAX
}

function problem(field: string, message: string | undefined): FieldFailure[] {
  return message === undefined ? [] : [{ field, message }]
}
