/** The kinds of documents that a payer can show. */
export const DOCUMENT_TYPES = ['PASSPORT', 'CPF', 'CNPJ'] as const
export type DocumentType = (typeof DOCUMENT_TYPES)[number]

/** A payer's telephone. */
export interface Phone {
  countryCode: string
  areaCode: string
  number: string
}

/** A card itself. It lives in memory for the one call to the processor: never stored, logged, traced or echoed. */
export interface RawCard {
  number: string
  holderName: string
  holderDocument: string
  cvv: string
  brand?: string | null
  expMonth: number
  /** Of two or four digits. */
  expYear: number
}

/** Where a card's statements go. */
export interface CardAddress {
  /** ISO 3166-1 alpha-2. */
  country: string
  state: string
  city: string
  neighborhood: string
  street: string
  streetNumber: string
  zipcode: string
  complement?: string | null
}

/** How a card pays: by itself, or by a token that stands for it. */
export interface CardDataInput {
  installments: number
  statementDescriptor: string
  cardToken?: string | null
  card?: (RawCard & { brand: string }) | null
  address: CardAddress
  /** Where the payer comes back to from a challenge; without it none is asked for. */
  authenticationReturnUrl?: string | null
}

/** What payers by card send besides what every payer sends. */
export interface CardPayerInput {
  payerName?: string | null
  payerDocument?: string | null
  payerDocumentType?: DocumentType | null
  payerIp?: string | null
  sessionId?: string | null
  payerPhone?: Phone | null
  cardData?: CardDataInput | null
}
