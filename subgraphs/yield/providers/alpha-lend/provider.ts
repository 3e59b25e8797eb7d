import type { TransactionInstruction } from '@solana/web3.js'
import { protocolError } from '../../../../kernel/provider-error.js'
import type { ChainAccount, ChainTime, Market, MarketState, YieldProvider } from '../provider.js'
import { readEarnMarket } from './accounts.js'
import { EARN, earnAddresses, type EarnAddresses } from './addresses.js'
import { describeEarn } from './describe.js'
import { earnDeposit, earnRedeem, earnWithdraw } from './instructions.js'
import { PRICE_ONE, pricesAt, yearlyRates } from './interest.js'

/** Jupiter Lend Earn. An entry needs no settings: all its addresses follow from the mint. */
export const alphaLend: YieldProvider = {
  name: 'alpha_lend',
  displayName: 'Jupiter Lend',
  routeName: 'JUPITER',
  mainnetSettings: () => ({}),
  programs: [EARN],
  describe: describeEarn,
  listMarket: (asset, _settings, isEnabled) => {
    const addresses = earnAddresses(asset.mint)
    const { lending, reserve, rewards, shareMint } = addresses
    const market: Market = {
      provider: alphaLend,
      asset,
      isEnabled,
      addresses: { marketOrVault: lending, reserve, shareMint },
      accounts: [lending, reserve, rewards, shareMint],
      read: (accounts, time) => readMarket(market, addresses, accounts, time),
      rebuild: (instruction) => rebuild(addresses, instruction),
    }
    return { provider: alphaLend, asset, isEnabled, contract: lending, identity: [], open: () => market }
  },
}

function readMarket(
  { asset }: Market,
  addresses: EarnAddresses,
  accounts: readonly (ChainAccount | null)[],
  { unixSeconds }: ChainTime,
): MarketState {
  const market = readEarnMarket(accounts)
  const { mint, decimals } = market.lending
  if (!mint.equals(asset.mint)) throw protocolError('jupiter-lend', 'the market is of another token')
  if (decimals !== asset.decimals) {
    throw protocolError('jupiter-lend', 'the configured decimals are not those of the token')
  }
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

/** What we would build for the owner and amount of an instruction that means a move in this market. */
function rebuild(addresses: EarnAddresses, instruction: TransactionInstruction): TransactionInstruction | undefined {
  const meaning = describeEarn(instruction)
  if (!meaning?.owner || !meaning.amount || !meaning.mint?.equals(addresses.mint)) return undefined
  const { action, owner, amount } = meaning
  if (action === 'deposit') return earnDeposit(addresses, owner, amount.value)
  return amount.unit === 'share'
    ? earnRedeem(addresses, owner, amount.value)
    : earnWithdraw(addresses, owner, amount.value)
}
