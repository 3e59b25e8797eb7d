import { Buffer } from 'node:buffer'
import { readAccounts, shown, shownKey } from './chain-state.mjs'

/** Where a reserve names its oracles (`TokenInfo`); the SDK's own answer shows whether these are the right places. */
const ORACLES = { scope: 5112, switchboard: 5160, switchboardTwap: 5192, pyth: 5224 }
/** Written, like zeros, where a reserve has no such oracle. */
const NULL_ADDRESS = 'nu11111111111111111111111111111111111111111'
/** What the program counts on: two slots a second. The SDK scales its rates where slots are said to be shorter. */
const SLOT_MS = 500
const DAY_OF_SLOTS = 172_800n
/** Where a reserve says when interest was counted last. */
const LAST_SLOT = 16
/** AccountRole of @solana/kit: writable, signer. */
const [WRITABLE, SIGNER] = [1, 2]
const TOKEN_ACCOUNT_RENT = 2_039_280

/** What Kamino's SDK builds for each market of the sandbox, and for reserves with other oracles. */
export async function recordKamino(load, { rpcUrl, wallet, amounts, strategies }) {
  const sdk = load('@kamino-finance/klend-sdk')
  const kit = load('@solana/kit')
  const markets = strategies
    .filter(({ provider }) => provider === 'beta')
    .map(({ token, addresses }) => ({
      symbol: token.symbol,
      mint: token.mint,
      decimals: token.decimals,
      market: addresses.market_or_vault,
      reserve: addresses.reserve,
    }))
  const [{ market: marketAddress, reserve: firstReserve }] = markets
  const accounts = await readAccounts(rpcUrl, [marketAddress, ...markets.map(({ reserve }) => reserve)])
  const lastSlot = accounts.get(firstReserve).data.readBigUInt64LE(LAST_SLOT)
  const slot = lastSlot + DAY_OF_SLOTS
  const oracles = withOtherOracles(kit, accounts, firstReserve)
  const market = openMarket(sdk, kit, marketAddress, accounts)
  const owner = kit.createNoopSigner(kit.address(wallet))
  const build = buildersOf(sdk, load('bn.js'), { market, owner, slot })
  const cases = []
  for (const { symbol, reserve } of markets) {
    for (const amount of amounts) {
      cases.push({ symbol, reserve, kind: 'deposit', amount, ...(await build.deposit(reserve, amount)) })
      cases.push({ symbol, reserve, kind: 'redeem', amount, ...(await build.redeem(reserve, amount)) })
    }
    const amount = amounts[0]
    const shares = build.sharesFor(load('decimal.js'), reserve, amount)
    cases.push({ symbol, reserve, kind: 'withdraw', amount, shares, ...(await build.redeem(reserve, shares)) })
    cases.push({ symbol, reserve, kind: 'refresh', ...build.refresh(reserve) })
  }
  for (const reserve of oracles) cases.push({ reserve, kind: 'refresh', ...build.refresh(reserve) })
  return { slot: String(slot), markets, accounts: shown(accounts), cases }
}

/** Adds copies of a reserve that name other oracles; @returns their addresses. */
function withOtherOracles(kit, accounts, original) {
  const key = (byte) => kit.getAddressDecoder().decode(Buffer.alloc(32, byte))
  const bytesOf = (address) => kit.getAddressEncoder().encode(address)
  const variants = [['pyth'], ['switchboard', 'switchboardTwap'], Object.keys(ORACLES), []]
  return variants.map((named, index) => {
    const data = Buffer.from(accounts.get(original).data)
    for (const [number, [oracle, offset]] of Object.entries(ORACLES).entries()) {
      const none = number % 2 === 0 ? Buffer.alloc(32) : bytesOf(NULL_ADDRESS)
      data.set(named.includes(oracle) ? bytesOf(key(21 + number)) : none, offset)
    }
    const address = key(31 + index)
    accounts.set(address, { ...accounts.get(original), data })
    return address
  })
}

/** The SDK's market, made of the accounts alone: its loader would ask a price list and a web server, which no instruction needs. */
function openMarket(sdk, kit, address, accounts) {
  const transport = async ({ payload }) => {
    const { method, params, id } = payload
    if (method === 'getMinimumBalanceForRentExemption') return { jsonrpc: '2.0', id, result: TOKEN_ACCOUNT_RENT }
    if (method !== 'getAccountInfo') throw new Error(`the SDK asks for ${method}`)
    const account = accounts.get(params[0])
    const value = account && { ...account, data: [account.data.toString('base64'), 'base64'], executable: false }
    return { jsonrpc: '2.0', id, result: { context: { slot: 1 }, value: value ?? null } }
  }
  const rpc = kit.createSolanaRpcFromTransport(transport)
  const price = { price: 1, decimals: 1, timestamp: 0n, valid: true }
  const reserves = [...accounts].filter(([key]) => key !== address)
  const opened = reserves.map(([key, { data }]) => [
    key,
    sdk.KaminoReserve.fromAccountData(key, data, price, rpc, SLOT_MS),
  ])
  const state = sdk.LendingMarket.decode(accounts.get(address).data)
  return sdk.KaminoMarket.loadWithReserves(rpc, state, new Map(opened), address, SLOT_MS)
}

function buildersOf(sdk, BN, { market, owner, slot }) {
  const act = async (name, reserveAddress, amount) => {
    const action = await sdk.KaminoAction[name]({
      kaminoMarket: market,
      amount: new BN(amount),
      reserveAddress,
      owner,
      obligation: new sdk.VanillaObligation(sdk.PROGRAM_ID),
      scopeRefreshConfig: undefined,
      extraComputeBudget: 0,
      currentSlot: slot,
    })
    return {
      setup: action.setupIxs.map(shownInstruction),
      instructions: action.lendingIxs.map(shownInstruction),
      cleanup: action.cleanupIxs.map(shownInstruction),
    }
  }
  return {
    deposit: (reserve, amount) => act('buildDepositReserveLiquidityTxns', reserve, amount),
    redeem: (reserve, shares) => act('buildRedeemReserveCollateralTxns', reserve, shares),
    refresh: (reserve) => ({
      instructions: sdk.KaminoAction.getRefreshAllReserves(market, [reserve]).map(shownInstruction),
    }),
    sharesFor: (Decimal, reserve, amount) =>
      market.getReserveByAddress(reserve).liquidityToCTokens(new Decimal(amount), slot).ceil().toFixed(0),
  }
}

function shownInstruction({ programAddress, accounts = [], data = new Uint8Array() }) {
  return {
    programId: programAddress,
    keys: accounts.map(({ address, role }) => shownKey(address, (role & SIGNER) !== 0, (role & WRITABLE) !== 0)),
    data: Buffer.from(data).toString('hex'),
  }
}
