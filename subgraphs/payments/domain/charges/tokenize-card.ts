import { AppError, validationError, type FieldFailure } from '../../../../kernel/errors.js'
import { toAppError } from '../../../../kernel/http.js'
import { firstAnswer, idempotentlyAnswered } from '../../../../kernel/idempotency.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import type { Tenant } from '../../../../kernel/tenant.js'
import type { RawCard } from '../../model/card-input.js'
import type { Runtime } from '../../model/runtime.js'
import type { Rails } from '../../rails/find-rail.js'
import type { CardToken } from '../../rails/processor-adapter.js'
import type { ChargeRail } from '../../rails/rail.js'
import type { Stores } from '../../store/stores.js'

/** What tokenizing a card needs. */
export type TokenizeCardDeps = Rails & Pick<Runtime, 'clock'> & Pick<Stores, 'pool'>

/** A card to be kept by the processor for one use. */
export interface TokenizeCardInput {
  card: RawCard
}

/** What is wrong with a card to be tokenized, as far as its fields are there. */
export function checkTokenizeCard(deps: Rails, { card }: { card?: Partial<RawCard> | null }): FieldFailure[] {
  const rail = cardRailOf(deps)
  return card && rail?.checkCard ? rail.checkCard(card) : []
}

/**
 * Hands a card on to the processor, which gives a token for it: one use, 60 seconds. Of the card nothing is kept here but,
 * for an idempotency key, what is answered.
 * @throws validation_error, product_disabled, idempotency_*, provider_unavailable, provider_timeout
 */
export async function tokenizeCard(
  deps: TokenizeCardDeps,
  tenant: Tenant,
  { card }: TokenizeCardInput,
): Promise<CardToken> {
  // First, so that a replay is not judged by a product that was switched off, or a card that expired, since.
  const earlier = await firstAnswer<CardToken>(deps.pool, tenant, deps.clock)
  if (earlier) return withDates(earlier)
  const failures = checkTokenizeCard(deps, { card })
  if (failures.length > 0) throw validationError(failures)
  const tokenize = cardRailOf(deps)?.adapter.tokenize
  if (!tenant.products.includes('credit_card') || !tokenize) throw new AppError('product_disabled')
  return withDates(await idempotentlyAnswered(deps, tenant, () => tokenize(card).catch(throwRefusal)))
}

/** A first answer comes back as JSON. */
function withDates(token: CardToken): CardToken {
  return { ...token, createdAt: new Date(token.createdAt), expiresAt: new Date(token.expiresAt) }
}

/** Where browsers have cards kept for one use by the processor itself; null where there are no cards. */
export function cardTokenEndpoint(deps: Rails): string | null {
  return cardRailOf(deps)?.adapter.tokenEndpoint ?? null
}

function throwRefusal(error: unknown): never {
  if (!(error instanceof ProviderError) || error.kind !== 'declined') throw toAppError(error)
  throw validationError([{ field: 'card', message: 'was refused by the card processor' }])
}

function cardRailOf({ rails }: Rails): ChargeRail | undefined {
  return rails.find((rail): rail is ChargeRail => rail.kind === 'charge' && rail.adapter.tokenize !== undefined)
}
