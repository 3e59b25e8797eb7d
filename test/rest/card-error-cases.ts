import { fault } from '../harness/control.js'
import type { Harness } from '../harness/harness.js'
import { CARDS, cardFields } from '../../sandbox/demo/card-payer.js'
import type { Cases, Good } from '../harness/route-errors.js'

const PATH = '/payment/card/tokenize'

const bodyOf = (number: string) => ({ type: 'card', card: cardFields(number) })

/** Good requests of the card's own route. */
export const CARD_GOOD: Readonly<Record<string, Good>> = {
  [`POST ${PATH}`]: {
    path: () => PATH,
    body: () => Promise.resolve(bodyOf(CARDS.paid)),
    other: () => Promise.resolve(bodyOf('4111111111111111')),
  },
}

/** What provokes the errors that are its own. */
export function cardCases(harness: Harness): Readonly<Record<string, Cases>> {
  const body = bodyOf(CARDS.paid)
  const failing = async (mode: 'down' | 'slow') => {
    await fault(harness.cardUrl, mode)
    const answer = await harness.tenant.post(PATH, body)
    await fault(harness.cardUrl, 'ok')
    return answer
  }
  return {
    [`POST ${PATH}`]: {
      product_disabled: async () =>
        harness.rest('POST', PATH, { as: await harness.dashboard.newTenant({ products: ['crypto'] }), body }),
      provider_unavailable: () => failing('down'),
      provider_timeout: () => failing('slow'),
    },
  }
}
