import { describe, expect, it } from 'vitest'
import { MESSAGES } from '../../checkout/language.js'
import { REFUSALS } from '../../subgraphs/payments/model/refusal.js'

describe('the payment page', () => {
  it.each(Object.entries(MESSAGES))('says why a card was refused, whatever it was, in %s', (_language, { reasons }) => {
    for (const code of Object.keys(REFUSALS)) expect(reasons[code], code).toMatch(/\S{3}/)
  })

  it.each(Object.entries(MESSAGES))(
    'asks a payer to wait whose first request still runs, rather than to try again, in %s',
    (_language, { errors }) => {
      expect(errors['idempotency_in_progress']).toBe(errors.provider_timeout)
    },
  )
})
