import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { pino } from 'pino'
import { startAnvil } from '../../sandbox/anvil/anvil.js'
import { stateFilePath } from '../../sandbox/anvil/state-file.js'
import { askAt, resultAt, type Ask, type RpcCall, type RpcOutcome } from './json-rpc.js'

/** A branch that the other nodes have left. It does not grow. */
export interface OldBranch {
  ask: Ask
  /** The blocks that were `safe` and `finalized` when the others left. */
  tags: Readonly<Record<string, string>>
  stop: () => Promise<void>
}

/**
 * Copies the chain as it is now to one of its own, which stays as it is when the first one is reorganised. As a pruned
 * node it has all blocks, and the newest state only.
 */
export async function leaveBehind(rpcUrl: string): Promise<OldBranch> {
  const ask = resultAt(rpcUrl)
  const numberOfTag = async (tag: string): Promise<string> =>
    ((await ask('eth_getBlockByNumber', [tag, false])) as { number: string }).number
  const tags = { safe: await numberOfTag('safe'), finalized: await numberOfTag('finalized') }
  const chainId = Number(await ask('eth_chainId', []))
  const state = Buffer.from(String(await ask('anvil_dumpState', [])).slice(2), 'hex')
  const dataDir = await mkdtemp(join(tmpdir(), 'chaos-old-branch-'))
  const remove = (): Promise<void> => rm(dataDir, { recursive: true, force: true })
  try {
    // By a file: a request's body may have 2 MB, which is a few thousand transactions.
    await writeFile(stateFilePath(dataDir), await promisify(gunzip)(state))
    const second = await startAnvil({ dataDir, chainId, log: pino({ level: 'silent' }) })
    return { ask: askAt(second.rpcUrl), tags, stop: () => second.stop().then(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Answers a call from the old branch. */
export function answerOnBranch({ ask, tags }: OldBranch, { method, params }: RpcCall): Promise<RpcOutcome> {
  return ask(
    method,
    params.map((param) => (typeof param === 'string' ? (tags[param] ?? param) : param)),
  )
}
