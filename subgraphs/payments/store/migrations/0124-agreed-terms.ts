/**
 * What a payer agreed to before the terms that he has not: terms within that need not be asked of him. Of plans that were changed before
 * this nobody knows it, and they wait for a period that he pays, as until now.
 */
export const keepAgreedTerms = [
  'alter table payments.subscription add column agreed_amount_from text, add column agreed_interval text',
]
