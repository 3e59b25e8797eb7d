import type { Method, PageStatus } from '../view.js'

/** The page's texts in one language. `{…}` is filled in. */
export interface Messages {
  title: string
  locale: string
  pay: string
  to: string
  language: string
  change: string
  sandbox: string
  items: string
  moreItems: string
  chooseMethod: string
  /** Before the ways that were not chosen. */
  otherMethod: string
  noMethods: string
  noScript: string
  linkExpires: string
  validUntil: string
  timeLeft: string
  back: string
  retry: string
  reference: string
  amount: string
  paidAt: string
  method: string
  hash: string
  explorer: string
  receipt: string
  working: string
  stale: string
  methods: Record<Method, string>
  states: Record<PageStatus, { title: string; text: string }>
  fields: {
    required: string
    email: string
    cpf: string
    number: string
    holder: string
    expiry: string
    /** In which form it is typed. */
    expiryForm: string
    cvv: string
    document: string
    phone: string
    zipcode: string
    street: string
    streetNumber: string
    neighborhood: string
    city: string
    state: string
    address: string
    chain: string
    token: string
  }
  /** What is wrong with a field, by its name; `required` where it is empty. */
  bad: Record<string, string>
  pix: {
    intro: string
    submit: string
    scan: string
    copyLabel: string
    copy: string
    copied: string
    qr: string
    renew: string
  }
  card: { submit: string; safe: string; challenge: string; bank: string; other: string; deciding: string }
  wallet: {
    intro: string
    connect: string
    none: string
    openIn: string
    toPay: string
    network: string
    connecting: string
    switching: string
    building: string
    approving: string
    signing: string
    sending: string
    waiting: string
    refused: string
    busy: string
    again: string
    silent: string
    wrongNetwork: string
    failed: string
    phone: string
    phoneQr: string
  }
  address: Record<
    | 'intro'
    | 'submit'
    | 'send'
    | 'received'
    | 'only'
    | 'qr'
    | 'label'
    | 'copy'
    | 'copyAmount'
    | 'app'
    | 'fee'
    | 'sent'
    | 'over'
    | 'late',
    string
  >
  /** Where the payer has to prove who he is. */
  identity: Record<
    | 'title'
    | 'why'
    | 'send'
    | 'sendAgain'
    | 'sent'
    | 'code'
    | 'badCode'
    | 'confirm'
    | 'open'
    | 'go'
    | 'inReview'
    | 'declined'
    | 'again'
    | 'back'
    | 'done',
    string
  >
  receiptEmail: { label: string; submit: string; requested: string }
  /** Why a payment was refused, by code; `other` for all else. */
  reasons: Record<string, string> & { other: string }
  /** What went wrong with an action, by code; `other` for all else. */
  errors: Record<string, string> & { other: string }
  /** In place of a state's words, where the payer gets the money back. */
  refunded: { title: string; text: string }
  /** In place of a state's words, where the shop takes no payments any more. */
  closed: { title: string; text: string }
  notFound: { title: string; text: string }
  expired: { title: string; text: string }
  unavailable: { title: string; text: string }
}
