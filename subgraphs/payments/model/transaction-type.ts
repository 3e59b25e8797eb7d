/** The name of a way to pay a payment. Those that there are follow from `rails/registry.ts`; the API's schema lets no other pass. */
export type TransactionType = string
