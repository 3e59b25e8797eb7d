/** Where a payment stands for its payer; the page shows it as `data-status`. */
export type PageStatus = 'open' | 'waiting' | 'received' | 'paid' | 'refused' | 'expired' | 'canceled'

/** The languages of the page. */
export const LANGUAGES = ['pt', 'en', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** The ways to pay, as a payer chooses them. */
export type Method = 'pix' | 'card' | 'wallet' | 'address'

/** A chain that a wallet may pay on. */
export interface WalletChain {
  name: string
  family: 'evm' | 'solana'
  /** The symbols of what can be paid with, the best first. */
  tokens: readonly string[]
  /** Whether the first of them comes to the receivers as it is: of no other one is the price known. */
  isOwn: boolean
}

/** What the page shows of a payment: nothing of the payer, nothing of the tenant's own. */
export interface PageView {
  status: PageStatus
  /** Whether the shop takes no payments any more, and this one was not paid before. */
  isClosed: boolean
  /** Sorts later with every change, whatever node's clock is wrong: an older view never replaces a newer one. */
  version: string
  /** The product's time when the view was made, ISO 8601: a browser's clock may be wrong, and the sandbox's is moved. */
  now: string
  /** A decimal string, and three letters of ISO 4217. */
  amount: string
  currency: string
  /** What a payer by Pix or card is charged, where that is another sum than the amount; an estimate until the charge is made. */
  charge: { amount: string; currency: string; isEstimate: boolean } | null
  /** The subscription that it begins, or whose period it pays; null where it is of none. */
  plan: {
    name: string
    interval: 'weekly' | 'monthly' | 'yearly'
    /** What each of the next periods costs, in the payment's currency. */
    amount: string
    /** How they are paid: the card that pays is charged by itself, or the payer is asked, or that depends on how he pays. */
    way: 'card' | 'asked' | 'either'
    /** When the trial ends that this payment follows. */
    trialEndsAt: string | null
  } | null
  merchant: string | null
  /** Each with the place of its picture below the page's address, where it has one. */
  items: readonly { name: string; quantity: number; description: string | null; picture: string | null }[]
  methods: readonly Method[]
  /** The way that the payment waits for, was paid by, or was refused on. */
  chosen: Method | null
  /** Whether a payer whom the shop has to know can prove here who he is. */
  canVerify: boolean
  /** Whether the chosen way may have paid already: then no other way can be begun. */
  isLocked: boolean
  /** Where a payer by card confirms at his bank that it is he (3-D Secure), while that is waited for. */
  challengeUrl: string | null
  /** The BR Code that can be paid now, and until when (ISO 8601). */
  pix: { code: string; expiresAt: string } | null
  /**
   * The payment's own address, which any wallet or exchange can send to, while something can be sent there: the rest of a part when
   * the price has run out, too. Amounts are decimal strings of the token.
   */
  address: {
    chain: string
    token: string
    address: string
    missing: string
    received: string
    /** The same for wallets' apps, EIP-681. */
    link: string | null
    expiresAt: string
  } | null
  /** How what came to the address was not as it was asked for; null where it was, or another way was taken. */
  addressNote: {
    /** What came in place of what was asked for, where that is less and was accepted. */
    short: { came: string; asked: string } | null
    /** What came beyond what was asked for, or beyond what was accepted. */
    over: string | null
    isLate: boolean
    token: string
  } | null
  /** Where the payment has an address of its own. */
  addressChains: readonly string[]
  /** The price in the token that the receivers get, where a wallet pays. */
  price: { amount: string; token: string; expiresAt: string } | null
  /** Whether the wallet's transaction was handed in and has not ended: nothing is left to confirm. */
  isHandedIn: boolean
  /** Where a wallet can pay. */
  chains: readonly WalletChain[]
  /** The chain on which a wallet's app can pay by Solana Pay; null where none can. */
  solanaChain: string | null
  /** Where the browser has the card turned into a token: the processor itself. */
  cardTokenUrl: string | null
  /** Why it was refused: a code of `messages.reasons`. */
  reason: string | null
  /** What came though the payment takes none of it, as decimal strings of the token; it does not go back by itself. */
  beside: {
    /** At an address of the payment that was paid otherwise. */
    lying: string | null
    /** At an address of the payment that was canceled. */
    tooLate: string | null
    /** By a wallet besides what had paid. */
    twice: string | null
    token: string
  } | null
  /** What of what was charged went back to the payer; null where nothing did, or does. */
  back: {
    refunded: string | null
    /** What the payer's bank took. */
    takenBack: string | null
    /** Refunds that the provider has not carried out yet. */
    onItsWay: string | null
    currency: string
    isWhole: boolean
  } | null
  /** Whether money came that does not pay it, as for an earlier code, and goes back. */
  isSentBack: boolean
  /** Whether `charge` or `plan` is there. */
  hasTerms: boolean
  /** Whether there is anything to say of what went back, came otherwise or came beside. */
  hasNotes: boolean
  /** Whether it was ended by giving the payer the money back. */
  isRefunded: boolean
  /** What a payer keeps; null before the money is there. */
  receipt: { reference: string; at: string; hash: string | null; explorer: string | null } | null
  /** Whether the payer can have the receipt by e-mail, or has asked for it; null where it is not sent. */
  receiptEmail: 'available' | 'requested' | null
  /** Back to the shop. */
  returnUrl: string | null
  /** When the link stops working, ISO 8601. */
  linkExpiresAt: string
  isSandbox: boolean
}

/** What the page starts from, as the server writes it into the document. */
export interface Boot {
  view: PageView
  language: Language
  /** The page's own path, `/pay/<token>`. */
  base: string
  /** Of the messages to the site that shows the page in a frame: the payment's id, and whom they are for. */
  paymentId: string
  embedOrigins: readonly string[]
  /** The path of the merchant's picture. */
  logo: string | null
}
