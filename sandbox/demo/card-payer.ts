/**
 * A payer by card, as REST spells what such a payer types: of the demo, of tests and of the chaos run. It is data of the
 * sandbox, not of the product: nothing that judges the product is taken from here, so the chaos run may have it too, whose
 * oracle shares no code with what it judges.
 */

/** Numbers of the processor's sandbox, by what comes of them. */
export const CARDS = {
  paid: '4000000000000010',
  refused: '4000000000000028',
  processing: '4000000000000036',
  processingThenFailed: '4000000000000044',
  failed: '4000000000000051',
  /** Its issuer asks for 3-D Secure. */
  challenged: '4000000000000119',
  /** Pays while its holder is there, and is refused once it is on file. */
  refusedOnFile: '4000000000000069',
} as const

export const BILLING_ADDRESS = {
  country: 'BR',
  state: 'SP',
  city: 'São Paulo',
  neighborhood: 'Bela Vista',
  street: 'Avenida Paulista',
  street_number: '1000',
  zipcode: '01310100',
} as const

/** A card as it is typed. @param changes other fields than a good card's */
export function cardFields(number: string, changes: object = {}): object {
  return {
    number,
    holder_name: 'ANA SILVA',
    holder_document: '52998224725',
    cvv: '123',
    brand: 'Visa',
    exp_month: 12,
    exp_year: new Date().getUTCFullYear() + 4,
    ...changes,
  }
}

/** The payer's fields of create-transaction. @param paidWith the card, or the token that stands for one */
export function cardPayer(email: string, paidWith: { card: object } | { card_token: unknown }): object {
  return {
    payer_email: email,
    payer_name: 'Ana Silva',
    payer_document: '529.982.247-25',
    payer_document_type: 'CPF',
    payer_phone: { country_code: '55', area_code: '11', number: '987654321' },
    ...('card_token' in paidWith && { payer_ip: '203.0.113.7', session_id: 'a session' }),
    card_data: { installments: 1, statement_descriptor: 'DEMO SHOP', address: BILLING_ADDRESS, ...paidWith },
  }
}
