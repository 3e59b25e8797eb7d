import type { Clock } from '../../../../kernel/clock.js'
import type { Logger } from '../../../../kernel/log.js'
import type { ChargeRail } from '../rail.js'
import { checkCard, checkCardPayer, rawRefused } from './check.js'
import { createCardClient } from './client.js'
import { cardAdapter } from './adapter.js'
import type { CardSettings } from './settings.js'

/** What the rail is made of. */
export interface CardRailOptions {
  settings: CardSettings
  clock: Clock
  log: Logger
  timeoutMs: number
  /** Hashes payers' documents; 32 bytes of the deployment's own. */
  documentKey: Buffer
}

/** A person pays by card; the receivers get fiat from the processor, or crypto from the treasury. */
export function cardRail({ settings, clock, log, timeoutMs, documentKey }: CardRailOptions): ChargeRail {
  const { isRawEnabled } = settings
  return {
    kind: 'charge',
    name: 'card',
    types: { cardcrypto: 'cardcrypto', cardfiat: 'cardfiat' },
    productOf: () => 'credit_card',
    needsVerifiedPayer: true,
    check: (input) => checkCardPayer({ clock, isRawEnabled }, input),
    checkCard: (card) => (isRawEnabled ? checkCard(clock, card, 'card') : rawRefused('card')),
    adapter: cardAdapter({ client: createCardClient({ settings, timeoutMs, log }), settings, documentKey }),
  }
}
