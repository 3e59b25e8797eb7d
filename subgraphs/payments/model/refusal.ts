/**
 * Why an issuer or an antifraud refused a card: one vocabulary for all processors, for people too. What a processor says
 * that none of the others means is `card_declined`.
 */
export const REFUSALS = {
  authentication_failed: 'The payer did not pass the authentication of the issuer.',
  card_declined: 'The card was declined by its issuer.',
  card_blocked: 'The card is blocked or not activated.',
  expired_card: 'The card has expired.',
  insufficient_funds: 'The card has not enough funds or credit.',
  invalid_card: 'The issuer does not know the card.',
  invalid_security_code: 'The security code is wrong.',
  lost_or_stolen_card: 'The card was reported lost or stolen.',
  not_permitted: 'The card may not be used for this purchase.',
  suspected_fraud: 'The purchase was refused by the fraud prevention.',
} as const

export type RefusalCode = keyof typeof REFUSALS
