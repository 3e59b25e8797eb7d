/** A billing address, in REST names. */
export const address = {
  country: 'BR',
  state: 'SP',
  city: 'São Paulo',
  neighborhood: 'Bela Vista',
  street: 'Avenida Paulista',
  street_number: '1000',
  zipcode: '01310100',
}

/** A card as payers send it, in REST names. */
export function cardOf(number: string, changes: object = {}): object {
  return {
    number,
    holder_name: 'ANA SILVA',
    holder_document: '52998224725',
    cvv: '123',
    brand: 'Visa',
    exp_month: 12,
    exp_year: 2039,
    ...changes,
  }
}

/** What a payer by card sends. */
export function cardPaymentBody(paymentId: string, card: object, changes: object = {}): Record<string, unknown> {
  return {
    payment_id: paymentId,
    transaction_type: 'cardfiat',
    payer_email: 'ana@example.com',
    payer_name: 'Ana Silva',
    payer_document: '52998224725',
    payer_document_type: 'CPF',
    payer_phone: { country_code: '55', area_code: '11', number: '987654321' },
    card_data: { installments: 1, statement_descriptor: 'LOJA', card, address },
    ...changes,
  }
}

/** The terms of an order that cards pay in fiat to these recipients at the processor, in equal parts. */
export function cardTerms(recipients: readonly string[]): Record<string, unknown> {
  return {
    payment_method_allowed: { cardfiat: true },
    split_payment_config: recipients.map((recipient, index) => ({
      receiver_wallet: `shop-${index}`,
      receiver_percent: 100 / recipients.length,
      recipient_id: recipient,
    })),
  }
}
