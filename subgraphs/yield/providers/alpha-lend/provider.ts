import type { TransactionInstruction } from '@solana/web3.js'
import { ProviderError } from '../../../../kernel/provider-error.js'
import type { ChainAccount, ChainTime, InstructionMeaning, Market, MarketState, YieldProvider } from '../provider.js'
import { readEarnMarket } from './accounts.js'
import { EARN, earnAddresses, type EarnAddresses } from './addresses.js'
import { DEPOSIT, earnDeposit, earnRedeem, earnWithdraw, REDEEM, WITHDRAW } from './instructions.js'
import { PRICE_ONE, pricesAt, yearlyRates } from './interest.js'

/** Jupiter Lend Earn. An entry needs no settings: all its addresses follow from the mint. */
export const alphaLend: YieldProvider = {
  name: 'alpha_lend',
  displayName: 'Jupiter Lend Earn',
  productType: 'lending',
  programs: [EARN],
  describe,
  openMarket: (asset, _settings, isEnabled) => {
    const addresses = earnAddresses(asset.mint)
    const { lending, reserve, rewards, shareMint } = addresses
    const market: Market = {
      provider: alphaLend,
      asset,
      isEnabled,
      addresses: { marketOrVault: lending, reserve, shareMint },
      contract: lending,
      accounts: [lending, reserve, rewards, shareMint],
      read: (accounts, time) => readMarket(market, addresses, accounts, time),
    }
    return market
  },
}

function readMarket(
  { asset }: Market,
  addresses: EarnAddresses,
  accounts: readonly (ChainAccount | null)[],
  { unixSeconds }: ChainTime,
): MarketState {
  const market = readEarnMarket(accounts)
  if (!market.lending.mint.equals(asset.mint)) throw otherMarket()
  const prices = pricesAt(market, unixSeconds)
  const rates = yearlyRates(market, prices, unixSeconds)
  return {
    figures: {
      isOpen: true,
      // Depositors of Earn lend to other products of the protocol: Earn itself has no borrowers and no collateral.
      apy: { supply: rates.supply, rewards: rates.rewards, borrow: null },
      maxLoanToValue: null,
      totalSupply: (market.shareSupply * prices.share) / PRICE_ONE,
      totalBorrow: null,
      priceUsd: null,
    },
    worthOf: (shares) => (shares * prices.share) / PRICE_ONE,
    depositLeg: (wallet, amount) => [earnDeposit(addresses, wallet, amount)],
    withdrawLeg: (wallet, withdrawal) => [
      withdrawal.kind === 'all'
        ? earnRedeem(addresses, wallet, withdrawal.shares)
        : earnWithdraw(addresses, wallet, withdrawal.amount),
    ],
  }
}

function otherMarket(): ProviderError {
  return new ProviderError({
    provider: 'jupiter-lend',
    kind: 'protocol',
    retryable: false,
    message: 'the market is of another token',
  })
}

/** What an Earn instruction would do; undefined for those that our legs do not have. */
function describe({ data, keys }: TransactionInstruction): InstructionMeaning | undefined {
  if (data.length !== 16) return undefined
  const start = data.subarray(0, 8)
  const value = data.readBigUInt64LE(8)
  const isDeposit = start.equals(DEPOSIT)
  const owner = keys[0]?.pubkey
  const mint = keys[isDeposit ? 3 : 5]?.pubkey
  const receiver = keys[2]?.pubkey
  if (!owner || !mint || !receiver) return undefined
  const common = { mint, owner, receiver }
  if (isDeposit) {
    const asBuilt = earnDeposit(earnAddresses(mint), owner, value)
    return { action: 'deposit', amount: { value, unit: 'asset' }, ...common, asBuilt }
  }
  if (start.equals(WITHDRAW)) {
    const asBuilt = earnWithdraw(earnAddresses(mint), owner, value)
    return { action: 'withdraw', amount: { value, unit: 'asset' }, ...common, asBuilt }
  }
  if (start.equals(REDEEM)) {
    const asBuilt = earnRedeem(earnAddresses(mint), owner, value)
    return { action: 'withdraw', amount: { value, unit: 'share' }, ...common, asBuilt }
  }
  return undefined
}
