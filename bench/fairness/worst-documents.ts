import type { AttackDocument } from './attack.js'

/** Of a payment, without its history; what is empty is read all the same. */
const PAYMENT = `id status executorId orderCode transactionType gatewayMethod payerEmail payerWallet payerTokenSymbol tidHash
  fromCurrencySymbol amountFrom toCurrencySymbol amountTo chainName toChain onRamp signedTransaction sessionPayment createdAt updatedAt
  splitPaymentConfig { receiverWallet receiverPercent } paymentMethodAllowed { crypto pixcrypto cardcrypto cardfiat }
  quote { rate amountFrom amountTo } dataError { code message }
  unsignedTransaction { ... on EvmTransaction { chainName transactionRequest { to from data value } } }`

/** What one tenant may send that takes others most, each kind by itself. */
export function worstDocuments(registerInput: object): Record<string, readonly AttackDocument[]> {
  const known = (query: string, variables: object = {}): AttackDocument[] => [{ query, variables, unique: false }]
  const aliased = (count: number, field: string): string =>
    Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')
  const pages = known(`{ ${aliased(9, `payments(first: 100) { edges { node { ${PAYMENT} } } }`)} }`)
  const metadata = known(`{ ${aliased(20, 'payments(first: 100) { edges { node { metadata } } }')} }`)
  const mutations = known(
    `mutation ($input: RegisterPaymentInput!) { ${aliased(20, 'registerPayment(input: $input) { payment { id } errors { code } }')} }`,
    { input: registerInput },
  )
  const literal = `payments(first: 1, after: "UNIQUE") { edges { node { ${PAYMENT} } } }`
  const unique = [{ query: `{ ${aliased(9, literal)} }`, variables: {}, unique: true }]
  const misfit = [
    {
      query: `{ nothing_UNIQUE ${`products { ${'pix '.repeat(20)} } `.repeat(20)} ${`account { ${'name '.repeat(20)} } `.repeat(20)} }`,
      variables: {},
      unique: true,
    },
  ]
  const repeating = [{ query: `{ nothing_UNIQUE ${'products { pix } '.repeat(480)} }`, variables: {}, unique: true }]
  const light = known(`{ payments(first: 20) { edges { node { id status amountFrom createdAt } } } }`)
  const short = known('{ payments(first: 40) { edges { node { id status metadata order { id executorId } } } } }')
  return {
    '9 pages of 100': pages,
    '20 pages of metadata': metadata,
    '20 mutations': mutations,
    'new documents': unique,
    'documents that do not fit': misfit,
    'documents that repeat fields': repeating,
    'light queries': light,
    'short reads': short,
    'all of them': [...pages, ...metadata, ...mutations, ...unique, ...misfit, ...repeating, ...light, ...short],
  }
}
