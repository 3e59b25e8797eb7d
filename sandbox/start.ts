import { join } from 'node:path'
import { privateKeyToAddress } from 'viem/accounts'
import type { Chain, EvmChain } from '../chains/chain.js'
import type { AdjustableClock } from '../kernel/clock.js'
import type { Logger } from '../kernel/log.js'
import { advance } from './anvil/test-client.js'
import { startAnvil } from './anvil/anvil.js'
import { seed } from './anvil/seed.js'
import { startCardSandbox, type CardSandbox } from './card/start.js'
import { startKycSandbox, type KycSandbox } from './kyc/start.js'
import { startPixSandbox, type PixSandbox } from './pix/start.js'
import { startPriceSimulator } from './prices/simulator.js'
import { lockDataDir } from './processes/data-dir-lock.js'
import { startEmbeddedPostgres } from './processes/postgres.js'
import { startRouterSimulator } from './router/simulator.js'
import type { Simulator } from './simulator.js'
import { solanaWallet, startSeededSolana, type SeededSolana } from './solana/seeded.js'
import { openMasterKey, openState, portOf, writePrivate, type DemoTenant, type StateFile } from './state.js'

/** Everything that stands where the outside world would be, running. */
export interface Sandbox {
  databaseUrl: string
  masterKey: Buffer
  operatorKey: string
  /** Pays the receivers of payments in fiat. */
  treasuryEvmKey: string
  treasurySolanaSeed: Uint8Array
  /** How the product reaches the Pix provider. */
  pix: PixSandbox['settings']
  /** How the product reaches the card processor. */
  card: CardSandbox['settings']
  chains: readonly Chain[]
  /** The lending markets of its Solana chain, as `YIELD_MARKETS_FILE` would hold them. */
  yieldMarkets: object
  priceUrl: string
  routerUrl: string
  /** How the product reaches the verification provider and the mail server. */
  kyc: KycSandbox['kyc']
  mailboxUrl: string
  /** The demo tenant, kept across starts as long as its key is good. */
  demo: { load: () => DemoTenant | undefined; save: (demo: DemoTenant) => void }
  /** Writes `sandbox.json`, which tells a person and the demo where everything is. */
  writeDescription: (restUrl: string) => void
  /** The time in the sandbox. */
  now: () => Date
  /** Moves the clock of product and simulators forward. Gives the new time. */
  advanceClock: (seconds: number) => Promise<Date>
  stop: () => Promise<void>
}

interface Parts {
  file: StateFile
  dataDir: string
  databaseUrl: string
  chain: EvmChain
  solana: SeededSolana
  prices: Simulator
  router: Simulator
  kyc: KycSandbox
  pix: PixSandbox
  card: CardSandbox
}

/**
 * Starts database, chain and simulators on a data folder that no other process may use.
 * @param options.databaseUrl a PostgreSQL to use instead of the embedded one
 * @throws Error with one clear line where the folder is in use or a part cannot start; what was started is stopped
 */
export async function startSandbox(options: {
  dataDir: string
  databaseUrl: string | undefined
  clock: AdjustableClock
  log: Logger
  onGiveUp: (error: Error) => void
}): Promise<Sandbox> {
  const { clock, log } = options
  const running: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    for (const end of running.splice(0).reverse()) await end()
  }
  try {
    const lock = await lockDataDir(options.dataDir)
    running.push(() => lock.release())
    const { dataDir } = lock
    const file = openState(dataDir)
    clock.advance(file.state.clockAheadMs)
    const startDatabase = async (): Promise<string> => {
      if (options.databaseUrl !== undefined) return options.databaseUrl
      const postgres = await startEmbeddedPostgres({ lock, log, onGiveUp: options.onGiveUp })
      running.push(() => postgres.stop())
      return postgres.databaseUrl
    }
    const startChain = async (): Promise<EvmChain> => {
      const anvil = await startAnvil({
        dataDir: join(dataDir, 'polygon'),
        log,
        onCrash: () => {
          options.onGiveUp(new Error('anvil has ended'))
        },
      })
      running.push(() => anvil.stop())
      return seedChain(anvil.rpcUrl, file)
    }
    const startSolana = (): Promise<SeededSolana> =>
      startSeededSolana({ dataDir, state: file.state, log, onCrash: options.onGiveUp }, running)
    const prices = await startPriceSimulator({ port: await portOf(file, 'price'), clock })
    running.push(() => prices.close())
    const [databaseUrl, chain, solana] = await Promise.all([startDatabase(), startChain(), startSolana()])
    const router = await startRouterSimulator({
      port: await portOf(file, 'router'),
      chains: [chain],
      priceOf: (symbol) => prices.price(symbol),
    })
    running.push(() => router.close())
    const kyc = await startKycSandbox({ file, dataDir, clock })
    running.push(() => kyc.close())
    const pix = await startPixSandbox({ file, dataDir, clock })
    running.push(() => pix.close())
    const card = await startCardSandbox({ file, dataDir, clock })
    running.push(() => card.close())
    return describe({ file, dataDir, databaseUrl, chain, solana, prices, router, kyc, pix, card }, { clock, stop })
  } catch (error) {
    await stop()
    throw error
  }
}

async function seedChain(rpcUrl: string, { state }: StateFile): Promise<EvmChain> {
  const contracts = await seed(rpcUrl, {
    payer: privateKeyToAddress(state.payerKey),
    operator: privateKeyToAddress(state.operatorKey),
    treasury: privateKeyToAddress(state.treasuryKey),
  })
  return {
    family: 'evm',
    name: 'polygon',
    chainId: 31337,
    rpcUrl,
    confirmations: 1,
    nativeCoin: { symbol: 'POL', decimals: 18 },
    tokens: contracts.tokens,
    split: { kind: 'forwarder', deployer: '0x4e59b44847b379578588920cA78FbF26c0B4956C' },
    routers: [contracts.router],
  }
}

function describe(parts: Parts, { clock, stop }: { clock: AdjustableClock; stop: () => Promise<void> }): Sandbox {
  const { file, dataDir, databaseUrl, chain, solana, prices, router, kyc, pix, card } = parts
  const { state, save } = file
  return {
    databaseUrl,
    masterKey: openMasterKey(dataDir),
    operatorKey: state.operatorKey,
    treasuryEvmKey: state.treasuryKey,
    treasurySolanaSeed: Buffer.from(state.solana.treasurySeed, 'hex'),
    pix: pix.settings,
    card: card.settings,
    chains: [chain, solana.chain],
    yieldMarkets: solana.yieldMarkets,
    priceUrl: prices.url,
    routerUrl: router.url,
    kyc: kyc.kyc,
    mailboxUrl: kyc.mailboxUrl,
    demo: {
      load: () => state.demo,
      save: (demo) => {
        state.demo = demo
        save()
      },
    },
    writeDescription: (restUrl) => {
      kyc.setProductUrl(restUrl)
      card.setProductUrl(restUrl)
      writePrivate(join(dataDir, 'sandbox.json'), `${JSON.stringify(description(parts, restUrl), null, 2)}\n`)
    },
    now: () => clock.now(),
    advanceClock: async (seconds) => {
      clock.advance(seconds * 1000)
      state.clockAheadMs += seconds * 1000
      save()
      await Promise.all([
        advance(chain.rpcUrl, seconds),
        solana.advance(seconds),
        prices.advanceClock(),
        router.advanceClock(),
        kyc.advanceClock(),
        pix.advanceClock(),
        card.advanceClock(),
      ])
      return clock.now()
    },
    stop,
  }
}

function description(parts: Parts, restUrl: string): object {
  const { file, databaseUrl, chain, solana, prices, router, kyc, pix, card } = parts
  const { state } = file
  return {
    rest_url: restUrl,
    graphql_url: `${restUrl}/graphql`,
    api_key: state.demo?.apiKey,
    platform_key: state.demo?.platformKey,
    public_client_id: state.demo?.publicClientId,
    webhook_secret: state.demo?.webhookSecret,
    pix_url: pix.settings.baseUrl,
    card_url: card.url,
    router_url: router.url,
    price_url: prices.url,
    kyc_url: kyc.kyc.verifier.baseUrl,
    mailbox_url: kyc.mailboxUrl,
    database_url: databaseUrl,
    chains: {
      polygon: { family: 'evm', rpc_url: chain.rpcUrl, chain_id: chain.chainId, tokens: chain.tokens },
      solana: { family: 'solana', rpc_url: solana.rpcUrl, tokens: solana.chain.tokens },
    },
    wallets: {
      evm: { address: privateKeyToAddress(state.payerKey), private_key: state.payerKey },
      solana: solanaWallet(state),
    },
    receivers: { evm: state.receivers, solana: state.solana.receivers },
  }
}
