import type { PublicKey, TransactionInstruction } from '@solana/web3.js'
import type { Variable } from '../../../kernel/env.js'
import type { Fraction } from '../fraction.js'

/** What callers know a provider by, in lower case with underscores; the names are those of the registry. */
export type ProviderName = string

/** An account as it is on the chain. */
export interface ChainAccount {
  owner: PublicKey
  data: Buffer
  lamports: number
}

/** The chain's own time: slots for Kamino, Unix seconds for Jupiter. */
export interface ChainTime {
  slot: bigint
  unixSeconds: bigint
  /** How long slots are at present, for figures of a year; undefined where that is not known. */
  slotMicroseconds?: bigint | undefined
}

/** A token that strategies are in. */
export interface YieldAsset {
  /** In capitals, e.g. `USDC`. */
  symbol: string
  mint: PublicKey
  decimals: number
  /** Whether it is the chain's own coin, which lending takes wrapped only. */
  isNative: boolean
}

/** What a protocol says of one of its markets; null where it has no figure. */
export interface MarketFigures {
  /** False where the protocol takes no deposits at present. */
  isOpen: boolean
  apy: { supply: Fraction; rewards: Fraction | null; borrow: Fraction | null }
  maxLoanToValue: Fraction | null
  /** In base units of the asset. */
  totalSupply: bigint
  totalBorrow: bigint | null
  /** US dollars for one whole token, scaled by 1e18. */
  priceUsd: Fraction | null
}

/** How much is withdrawn: an exact amount in base units, or all that the shares are worth when it is done. */
export type Withdrawal = { kind: 'exact'; amount: bigint } | { kind: 'all'; shares: bigint }

/** A market as it was at a moment, with the interest up to then. */
export interface MarketState {
  figures: MarketFigures
  /** What shares are worth now, in base units of the asset, rounded down as the protocol pays it. */
  worthOf: (shares: bigint) => bigint
  /** The instructions that deposit `amount` base units out of the wallet's associated token account. */
  depositLeg: (wallet: PublicKey, amount: bigint) => TransactionInstruction[]
  /** The instructions that withdraw into the wallet's associated token account. */
  withdrawLeg: (wallet: PublicKey, withdrawal: Withdrawal) => TransactionInstruction[]
}

/** A market as the deployment lists it. What only the chain can tell of it is read once, when it is opened. */
export interface ListedMarket {
  provider: YieldProvider
  asset: YieldAsset
  /** Whether the deployment has it switched on. */
  isEnabled: boolean
  /** What it is called by among the provider's markets. */
  contract: PublicKey
  /** The accounts that `open` wants, in this order; none where every address follows from the entry. */
  identity: readonly PublicKey[]
  /**
   * Makes the market out of its identity, which never changes on the chain.
   * @param environment the provider's variables by their names
   * @throws ProviderError of kind `protocol` where an account is missing or not what the entry says
   */
  open: (identity: readonly (ChainAccount | null)[], environment?: ProviderEnvironment) => Market
}

/** What the deployment sets of a provider's own variables, by their names. */
export type ProviderEnvironment = Readonly<Record<string, string | undefined>>

/** One market of a provider: an asset that can be lent there. */
export interface Market {
  provider: YieldProvider
  asset: YieldAsset
  /** Whether the deployment has it switched on. */
  isEnabled: boolean
  addresses: { marketOrVault: PublicKey; reserve: PublicKey; shareMint: PublicKey }
  /** The accounts that `read` wants, in this order. */
  accounts: readonly PublicKey[]
  /**
   * Reads the market from its accounts and brings it up to a time.
   * @throws ProviderError of kind `protocol` where an account is missing or not what it should be
   */
  read: (accounts: readonly (ChainAccount | null)[], time: ChainTime) => MarketState
  /**
   * The instruction that one of this market's legs would have in the place of the given one, for the same owner and amount;
   * undefined where no leg has one like it.
   */
  rebuild: (instruction: TransactionInstruction) => TransactionInstruction | undefined
}

/** What an instruction of a provider's program would do. */
export interface InstructionMeaning {
  action: 'deposit' | 'withdraw' | 'refresh'
  /** The asset's mint; null for a refresh. */
  mint: PublicKey | null
  /** What the amount counts: base units of the asset, or of the shares. */
  amount: { value: bigint; unit: 'asset' | 'share' } | null
  /** Whose money is moved, who has to sign. */
  owner: PublicKey | null
  /** The token account that receives: shares of a deposit, the asset of a withdrawal. */
  receiver: PublicKey | null
}

/** A lending protocol: the rules of its accounts and instructions. It calls nothing itself. */
export interface YieldProvider {
  name: ProviderName
  displayName: string
  /** As routes write it, in capitals. */
  routeName: string
  /** Variables of its own, which `npm start -- --help` lists too. */
  variables?: readonly Variable<string | undefined>[]
  /**
   * Its part of a token's entry among the markets of mainnet; undefined where it does not lend the token there.
   * @param symbol of one of the tokens in `mainnet-markets.ts`
   */
  mainnetSettings?: (symbol: string) => object | undefined
  /** Its programs, which instructions of its legs call. */
  programs: readonly PublicKey[]
  /**
   * Reads a market's entry in the deployment's list.
   * @param settings the provider's own part of the entry
   * @throws Error with a sentence where the entry is wrong
   */
  listMarket: (asset: YieldAsset, settings: Readonly<Record<string, unknown>>, isEnabled: boolean) => ListedMarket
  /** What an instruction of one of its programs would do; undefined where it is none that our legs have. */
  describe: (instruction: TransactionInstruction) => InstructionMeaning | undefined
}
