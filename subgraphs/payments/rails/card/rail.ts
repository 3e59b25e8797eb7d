import type { ConfiguredRail, RailKind, TransactionTypes } from '../rail.js'
import { cardAdapter } from './adapter.js'
import { checkCard, checkCardPayer, rawRefused } from './check.js'
import { createCardClient } from './client.js'
import { CARD_ENVIRONMENT, readCardSettings } from './environment.js'
import type { CardSettings } from './settings.js'

/** Longer than other providers have: an issuer may think for several seconds, and what was not waited for is followed. */
const TIMEOUT_MS = 9_000

const types: TransactionTypes = {
  cardcrypto: { description: 'A card pays, the receivers get crypto.', method: 'cardcrypto', product: 'credit_card' },
  cardfiat: {
    description: 'A card pays, the receivers get fiat from the card processor.',
    method: 'cardfiat',
    product: 'credit_card',
    settlesInFiat: true,
  },
}

/** A person pays by card; the receivers get fiat from the processor, or crypto from the treasury. */
export const card: RailKind = {
  name: 'card',
  product: 'credit_card',
  types,
  environment: CARD_ENVIRONMENT,
  configure: (environment, sandbox) => {
    const settings = readCardSettings(environment, sandbox as CardSettings | undefined)
    return settings && cardRail(settings)
  },
}

/** The rail at one processor. */
export function cardRail(settings: CardSettings, timeoutMs = TIMEOUT_MS): ConfiguredRail {
  const { isRawEnabled } = settings
  return ({ clock, log, deriveKey, publicUrl }) => ({
    kind: 'charge',
    name: 'card',
    types,
    needsVerifiedPayer: true,
    check: (input) => checkCardPayer({ clock, isRawEnabled, allowsLoopback: !publicUrl.startsWith('https:') }, input),
    checkCard: (input) => (isRawEnabled ? checkCard(clock, input, 'card') : rawRefused('card')),
    adapter: cardAdapter({
      client: createCardClient({ settings, timeoutMs, log }),
      settings,
      documentKey: deriveKey('tax-ids'),
    }),
  })
}
