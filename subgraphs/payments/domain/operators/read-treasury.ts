import type { Chain } from '../../../../chains/chain.js'
import { AppError } from '../../../../kernel/errors.js'
import { compare, divide, isPositive, multiply, subtract, sum } from '../../../../kernel/money.js'
import type { EnabledChains } from '../../model/chain-access.js'
import type { Runtime } from '../../model/runtime.js'
import type { GasPayer } from '../../rails/gas-payer.js'
import { signingOn, type PayoutChains } from '../../settlement/treasury-accounts.js'
import type { TreasuryCap } from '../../store/risk.js'
import type { Stores } from '../../store/stores.js'
import type { TokenFlow } from '../../store/waiting-payouts.js'

/** What reading the treasury needs. */
export type ReadTreasuryDeps = EnabledChains &
  PayoutChains &
  Pick<Runtime, 'clock' | 'log'> &
  Pick<Stores, 'pauses' | 'risk' | 'waitingPayouts'> & { arePayoutsPaused: boolean; gasPayer: GasPayer }

/** What the treasury has of a token, and what it owes. Amounts are decimal strings. */
export interface TreasuryToken extends TokenFlow {
  /** As the chain shows it now; null where it cannot be asked, which is not the same as nothing. */
  balance: string | null
  /** How long what is left after all that waits lasts at the rate of the last 24 hours; null where nothing left. */
  lastsHours: string | null
  cap: TreasuryCap | null
}

/** What one account of the treasury holds. Amounts are decimal strings, null where the chain cannot be asked. */
export interface TreasuryAccountBalances {
  account: string
  balances: { symbol: string; balance: string | null }[]
}

/** The treasury on a chain. */
export interface TreasuryOfChain {
  chainName: string
  /** The address of its first account; null where the deployment signs for none on this chain. */
  account: string | null
  /** All that payouts are spread over, the first of the settings first. */
  accounts: TreasuryAccountBalances[]
  readAt: Date
  isPaused: boolean
  tokens: TreasuryToken[]
  /** The account that pays the gas of splits; null on chains that need none. */
  gasPayer: { account: string; symbol: string; balance: string | null } | null
}

const DAY_MS = 24 * 3_600_000

/** The treasury by chain and token, each balance as its chain shows it while the operator asks. */
export async function readTreasury(deps: ReadTreasuryDeps): Promise<TreasuryOfChain[]> {
  const { settings, clock, waitingPayouts, pauses, risk } = deps
  const readAt = clock.now()
  const tokens = settings.chains.flatMap((chain) => symbolsOf(chain).map((symbol) => ({ chain: chain.name, symbol })))
  const [flows, paused, caps] = await Promise.all([
    waitingPayouts.flows(tokens, new Date(readAt.getTime() - DAY_MS)),
    pauses.list(),
    risk.listCaps(),
  ])
  return Promise.all(
    settings.chains.map(async (chain): Promise<TreasuryOfChain> => {
      const accounts = await readAccounts(deps, chain)
      const isPaused = ({ chainName, tenantId }: (typeof paused)[number]): boolean =>
        !tenantId && (!chainName || chainName === chain.name)
      return {
        chainName: chain.name,
        account: accounts[0]?.account ?? null,
        accounts,
        readAt,
        isPaused: deps.arePayoutsPaused || paused.some(isPaused),
        tokens: flows
          .filter(({ chainName }) => chainName === chain.name)
          .map((flow) => {
            const balance = sumOf(accounts, flow.symbol)
            const cap = caps.find(({ chainName, symbol }) => chainName === chain.name && symbol === flow.symbol) ?? null
            return { ...flow, balance, cap, lastsHours: lastsHours(balance, flow) }
          }),
        gasPayer: await gasPayerOn(deps, chain),
      }
    }),
  )
}

async function readAccounts(deps: ReadTreasuryDeps, chain: Chain): Promise<TreasuryAccountBalances[]> {
  return Promise.all(
    signingOn(deps, chain).map(async (port) => {
      const holdings = await orNull(deps, chain, () => port.readHoldings(chain))
      const balances = symbolsOf(chain).map((symbol) => ({ symbol, balance: holdings?.get(symbol) ?? null }))
      return { account: port.account, balances }
    }),
  )
}

/** What all accounts hold of a token; null where that of one is not known, or there is none. */
function sumOf(accounts: readonly TreasuryAccountBalances[], symbol: string): string | null {
  const held = accounts.flatMap(({ balances }) => balances.find((one) => one.symbol === symbol)?.balance ?? [])
  return held.length === 0 || held.length < accounts.length ? null : sum(held)
}

/** Of tokens and of the coin. */
function symbolsOf({ tokens, nativeCoin }: Chain): string[] {
  return [...new Set([...Object.keys(tokens), nativeCoin.symbol])]
}

/** In hours, with one decimal; 0 where what waits takes all. */
function lastsHours(balance: string | null, { waiting, lastDay }: TokenFlow): string | null {
  if (balance === null || !isPositive(lastDay)) return null
  if (compare(balance, waiting) <= 0) return '0'
  return divide(multiply(subtract(balance, waiting), '24'), lastDay, 1)
}

async function gasPayerOn(deps: ReadTreasuryDeps, chain: Chain): Promise<TreasuryOfChain['gasPayer']> {
  if (chain.family !== 'evm') return null
  const { account, readBalance } = deps.gasPayer
  const balance = (await orNull(deps, chain, () => readBalance(chain))) ?? null
  return { account, symbol: chain.nativeCoin.symbol, balance }
}

/** A chain that is away hides its own figures, and no other's. */
async function orNull<T>({ log }: ReadTreasuryDeps, chain: Chain, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    log.warn({ chain: chain.name, errorCode: error.code, details: error.details }, 'a balance could not be read')
    return undefined
  }
}
