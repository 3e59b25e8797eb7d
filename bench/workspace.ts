import { hkdfSync } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EvmChain } from '../chains/chain.js'
import { createLog } from '../kernel/log.js'
import { lockDataDir } from '../sandbox/processes/data-dir-lock.js'
import { startEmbeddedPostgres } from '../sandbox/processes/postgres.js'

/** The database that all targets work on, and a data folder of the product on it. */
export interface Workspace {
  databaseUrl: string
  /** For files; it is removed at the end. */
  folder: string
  /** The product's data folder. */
  dataDir: string
  close: () => Promise<void>
}

/** Starts an embedded PostgreSQL in a temporary folder. */
export async function openWorkspace(): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-api-bench-'))
  const lock = await lockDataDir(folder)
  const postgres = await startEmbeddedPostgres({ lock, log: createLog('warn') })
  return {
    databaseUrl: postgres.databaseUrl,
    folder,
    dataDir: join(folder, 'product'),
    close: async () => {
      await postgres.stop()
      await lock.release()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** What the targets have to know of the product's sandbox, so that they give the same answers. */
export interface Demo {
  apiKey: string
  publicClientId: string
  receivers: readonly string[]
  /** Signs the links of the payment page, hex. */
  linkKey: string
  chains: readonly EvmChain[]
}

/** Reads what the product wrote into its data folder. */
export async function readDemo(dataDir: string): Promise<Demo> {
  const sandbox = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8')) as {
    api_key: string
    public_client_id: string
    receivers: { evm: string[] }
    chains: { polygon: { rpc_url: string; chain_id: number; tokens: EvmChain['tokens'] } }
  }
  const { polygon } = sandbox.chains
  const masterKey = Buffer.from((await readFile(join(dataDir, 'master-key'), 'utf8')).trim(), 'hex')
  return {
    apiKey: sandbox.api_key,
    publicClientId: sandbox.public_client_id,
    receivers: sandbox.receivers.evm,
    linkKey: Buffer.from(hkdfSync('sha256', masterKey, '', 'session-link', 32)).toString('hex'),
    chains: [
      {
        family: 'evm',
        name: 'polygon',
        chainId: polygon.chain_id,
        rpcUrl: polygon.rpc_url,
        confirmations: 1,
        finalityBlocks: 1,
        nativeCoin: { symbol: 'POL', decimals: 18 },
        tokens: polygon.tokens,
        split: { kind: 'forwarder', deployer: '0x4e59b44847b379578588920cA78FbF26c0B4956C' },
        routers: [],
      },
    ],
  }
}
