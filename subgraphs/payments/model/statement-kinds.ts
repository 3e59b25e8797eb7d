/** What moves the accounts of a tenant: the beginnings of the names of such entries, each with what it means. */
export const STATEMENT_KINDS = {
  receipt: "A payer's money has come.",
  conversion: "A payer's money became what the receivers get.",
  payout: 'A receiver was paid.',
  wallet: 'A wallet has paid the receivers.',
  disbursement: "The provider passed a payer's money on to the receivers, in fiat.",
  refund: 'A refund was paid for, or has failed.',
  reversal: 'A conversion was taken back.',
  withheld: 'A payout was withheld for a refund.',
  return: 'Money went back to a payer.',
  won: 'A dispute was won.',
  'platform-fee': "The platform's fee.",
  spread: 'What the platform takes by its rate.',
  gas: 'The gas of payouts.',
  reserve: 'A share of a payment was set aside for refunds.',
  'reserve-released': 'What was set aside for refunds was paid out, by bank.',
  topup: 'The balance for refunds was filled.',
  recovered: 'What a payment left owing was settled with the balance for refunds.',
  'deposit-given-back': 'What came to an address was given back.',
  'debt-paid': 'The tenant has paid what it owed, by bank.',
  'paid-by-bank': 'The tenant was paid what it is owed, by bank.',
} as const
export type StatementKind = keyof typeof STATEMENT_KINDS

/** The kind that a name begins with; `other` for one that only an older release knew. */
export function statementKind(kind: string): StatementKind | 'other' {
  return Object.hasOwn(STATEMENT_KINDS, kind) ? (kind as StatementKind) : 'other'
}
