import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Hex } from 'viem'
import type { ForwarderSplit } from '../../chains/chain.js'
import { createLog } from '../../kernel/log.js'
import { addressOfSeed } from '../../sandbox/solana/keys.js'
import { clockArea } from '../areas/clock.js'
import { pgArea } from '../areas/pg.js'
import { processArea } from '../areas/process.js'
import { subgraphArea } from '../areas/subgraph.js'
import type { FaultArea } from '../fault.js'
import type { Finding, ReceivedWebhook, TenantView, HarnessView } from '../view.js'
import { startDatabase } from './database.js'
import { startOutside, type NodeAddresses, type Outside } from './outside.js'
import { choosePorts, gatewayUrls, makeProduct, type Product } from './product.js'
import { withSecondAccount, type EvmTreasury } from './second-account.js'
import { newTenant } from './tenants.js'
import { startWebhookReceiver } from './webhook-receiver.js'

/** The product and all around it, running, with faults between all parts that begin when they are told to. */
export interface Harness {
  areas: readonly FaultArea[]
  /** Where the logs of the processes are. */
  folder: string
  /** What load and oracle know of it, with new tenants. */
  view: (tenants: number) => Promise<HarnessView>
  /** Starts what is down, and waits until all processes are ready and all callbacks told. @throws Error after the deadline */
  untilReady: (timeoutMs: number) => Promise<void>
  /** What the processes did against the promises since the last time this was asked. */
  takeFindings: () => Finding[]
  /** The webhooks that came to the tenants of a view. */
  received: (view: HarnessView) => readonly ReceivedWebhook[]
  /** Ends everything; the product first, as a deployment would. @returns what the ends of its processes showed */
  stop: (options: { keepsFolder: boolean }) => Promise<Finding[]>
}

const READY_WITHIN_MS = 60_000

/** Polygon's. */
const BLOCK_SECONDS = 2

/**
 * Starts the harness, in a temporary folder.
 * @param options.blockSeconds between two blocks of the EVM chain; Polygon's 2 where left out
 * @param options.nodes how the product reaches the nodes of a chain; behind one address where left out
 * @throws Error where a part of it does not start; what was started is stopped
 */
export async function startHarness({
  blockSeconds = BLOCK_SECONDS,
  nodes = 'balanced',
}: { blockSeconds?: number; nodes?: NodeAddresses } = {}): Promise<Harness> {
  const stack = new AsyncDisposableStack()
  try {
    return await assemble(stack, { blockSeconds, nodes })
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

async function assemble(
  stack: AsyncDisposableStack,
  chains: { blockSeconds: number; nodes: NodeAddresses },
): Promise<Harness> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-api-chaos-'))
  await mkdir(join(folder, 'logs'))
  const log = createLog('error')
  const onGiveUp = (error: Error): void => {
    log.error({ err: error }, 'a part of the harness is gone')
  }
  const database = await startDatabase({ folder, log, onGiveUp })
  stack.defer(() => database.stop())
  const hooks = await startWebhookReceiver()
  stack.defer(() => hooks.close())
  const { databaseUrl } = database
  const ports = await choosePorts()
  const gateways = gatewayUrls(ports)
  const outside = await startOutside({ databaseUrl, folder, log, gateways, onGiveUp, ...chains }, stack)
  const { masterKey } = outside.sandbox
  const treasury = await withSecondAccount(evmOf(outside), splitOf(outside), outside.sandbox.treasuryEvmKey as Hex)
  const product = await makeProduct({
    databaseUrl,
    ports,
    environment: { ...outside.environment, ...PRODUCT_SETTINGS, TREASURY_EVM_KEY: treasury.keys.join() },
    folder: join(folder, 'logs'),
    log,
  })
  const { processes } = product
  stack.defer(() => product.stop())
  await startProcesses(product)
  const takeFindings = (): Finding[] => [
    ...processes.flatMap((process) => process.takeFindings()),
    ...outside.takeFindings(),
  ]
  return {
    folder,
    areas: [
      ...outside.areas,
      pgArea(product.databaseLinks, database),
      subgraphArea(product.subgraphLinks),
      processArea(processes),
      clockArea(processes),
    ],
    view: async (count) => {
      const tenants: TenantView[] = []
      for (let index = 0; index < count; index += 1) {
        tenants.push(await newTenant({ databaseUrl, masterKey, log, hooks, name: `Shop ${index + 1}` }))
      }
      return viewOf(outside, { gateways, treasury, tenants })
    },
    untilReady: async (timeoutMs) => {
      for (const process of processes) process.start()
      await Promise.all([outside.settled(), ...processes.map((process) => process.untilReady(timeoutMs))])
    },
    takeFindings,
    received: ({ tenants }) => hooks.received.filter(({ tenantId }) => tenants.some(({ id }) => id === tenantId)),
    stop: async ({ keepsFolder }) => {
      await stack.disposeAsync()
      if (!keepsFolder) await rm(folder, { recursive: true, force: true })
      return takeFindings()
    },
  }
}

/** The load is one client with few keys: its limits are not what is looked for. */
const PRODUCT_SETTINGS = { RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'info' }

/** One first: it alone brings the schemas up to date, and fills the cache of compiled code for the others. */
async function startProcesses({ processes, workers }: Product): Promise<void> {
  const [first] = workers
  first?.start()
  await first?.untilReady(READY_WITHIN_MS)
  for (const process of processes) process.start()
  await Promise.all(processes.map((process) => process.untilReady(READY_WITHIN_MS)))
}

/** The EVM chain, past the faults. */
function evmOf({ description, confirmations }: Outside): HarnessView['chains']['evm'] {
  const { polygon } = description.chains
  return { rpcUrl: polygon.rpc_url, chainId: polygon.chain_id, confirmations, tokens: polygon.tokens }
}

function splitOf({ sandbox }: Outside): ForwarderSplit {
  const split = sandbox.chains.find((chain) => chain.family === 'evm')?.split
  if (!split) throw new Error('the EVM chain has no way to split')
  return split
}

function viewOf(
  outside: Outside,
  given: Pick<HarnessView, 'gateways' | 'tenants'> & { treasury: EvmTreasury },
): HarnessView {
  const { sandbox, description } = outside
  const { solana } = description.chains
  const { gateways, tenants, treasury } = given
  const mints = Object.entries(solana.tokens).map(([symbol, { mint, decimals }]) => [
    symbol,
    { address: mint, decimals },
  ])
  return {
    gateways,
    tenants,
    databaseUrl: sandbox.databaseUrl,
    chains: {
      evm: evmOf(outside),
      solana: {
        rpcUrl: solana.rpc_url,
        tokens: Object.fromEntries(mints) as HarnessView['chains']['solana']['tokens'],
      },
    },
    simulators: {
      pixUrl: description.pix_url,
      cardUrl: description.card_url,
      kycUrl: description.kyc_url,
      mailboxUrl: description.mailbox_url,
    },
    funds: {
      evmPrivateKey: description.wallets.evm.private_key,
      solanaSecretKey: description.wallets.solana.secret_key,
    },
    treasury: {
      evm: treasury.accounts,
      solana: addressOfSeed(sandbox.treasurySolanaSeed),
    },
  }
}
