import { planBranch, type BranchChances, type BranchPlan, type DroppedTransaction } from './branch-plan.js'
import { resultAt, type AskForResult } from './json-rpc.js'

/** Which reorganisation. */
export interface ReorganisationRequest {
  /** How deep; less where that would go below `finalized` or `floor`. */
  blocks: number
  seed: number
  chances: BranchChances
  /** The lowest block that stays at any rate. */
  floor: number
  /** Whether the product holds a transaction's bytes. */
  isHeld: (hash: string) => boolean
}

/** What a reorganisation did. Transactions by their hashes. */
export interface Reorganisation {
  blocks: number
  included: string[]
  pooled: string[]
  lost: string[]
}

/** A transaction as the node shows it. */
interface NodeTransaction {
  hash: string
  from: string
  nonce: string
  to: string | null
  value: string
  input: string
  gas: string
  r: string
}

type Waiting = Pick<DroppedTransaction, 'hash' | 'from' | 'nonce' | 'raw'>

/** How many blocks a chain of transactions that fund each other gets. */
const FUNDING_ROUNDS = 4

interface Dropped extends DroppedTransaction {
  shown: NodeTransaction
}

/**
 * Reorganises an anvil: the newest blocks are replaced by as many others. Some of their transactions are on the new branch
 * too, the others are back in the pool or lost; those that waited before still wait. Never below `finalized`: anvil would.
 */
export async function reorganise(rpcUrl: string, request: ReorganisationRequest): Promise<Reorganisation> {
  const ask = resultAt(rpcUrl)
  const resumeMining = await stopMining(ask)
  try {
    // What waits is read first: a block that was begun before mining stopped may come after it, and its transactions are in the pool until then.
    const pool = await readWaiting(ask)
    const head = Number(await ask('eth_blockNumber', []))
    const { number: finalized } = (await ask('eth_getBlockByNumber', ['finalized', false])) as { number: string }
    const blocks = Math.min(request.blocks, head - Math.max(Number(finalized), request.floor))
    if (blocks <= 0) return { blocks: 0, included: [], pooled: [], lost: [] }
    const dropped = await readDropped(ask, head, blocks, request.isHeld)
    const isDropped = new Set(dropped.map(({ hash }) => hash))
    const waiting = pool.filter(({ hash }) => !isDropped.has(hash))
    const plan = planBranch(dropped, blocks, request.seed, request.chances)
    await replaceBlocks(ask, blocks, plan)
    // One that was meant to be on the new branch is not there where the one that funds it is not.
    const included = plan.included.map(({ transaction }) => transaction)
    // One by one: what came in since is nowhere else.
    for (const { hash } of waiting) await ask('anvil_dropTransaction', [hash])
    await refillPool(ask, [...included, ...plan.pooled, ...waiting])
    return { blocks, ...hashesOf(plan) }
  } finally {
    await resumeMining()
  }
}

/** A block that is made in the middle of it would be dropped with nobody knowing its transactions. */
async function stopMining(ask: AskForResult): Promise<() => Promise<void>> {
  const isAutomatic = await ask('anvil_getAutomine', [])
  const intervalSeconds = await ask('anvil_getIntervalMining', [])
  await ask('evm_setAutomine', [false])
  if (intervalSeconds !== null) await ask('evm_setIntervalMining', [0])
  return async () => {
    if (intervalSeconds !== null) await ask('evm_setIntervalMining', [intervalSeconds])
    if (isAutomatic !== true) return
    await ask('evm_setAutomine', [true])
    // What came in meanwhile would wait for the next transaction.
    const { pending } = (await ask('txpool_status', [])) as { pending: string }
    if (Number(pending) > 0) await ask('evm_mine', [])
  }
}

/** Makes the new branch. What no key has signed is sent again in its account's name. */
async function replaceBlocks(ask: AskForResult, blocks: number, { included }: BranchPlan<Dropped>): Promise<void> {
  const keyless = new Set(included.filter(({ transaction }) => transaction.raw === undefined).map(fromOf))
  for (const from of keyless) await ask('anvil_impersonateAccount', [from])
  try {
    const transactions = included.map(({ transaction, blockIndex }) => [wireOf(transaction), blockIndex])
    await ask('anvil_reorg', [blocks, transactions])
  } finally {
    for (const from of keyless) await ask('anvil_stopImpersonatingAccount', [from])
  }
}

function fromOf({ transaction }: { transaction: Dropped }): string {
  return transaction.from
}

async function readDropped(
  ask: AskForResult,
  head: number,
  blocks: number,
  isHeld: ReorganisationRequest['isHeld'],
): Promise<Dropped[]> {
  const dropped: Dropped[] = []
  for (let blockIndex = 0; blockIndex < blocks; blockIndex += 1) {
    const number = `0x${(head - blocks + 1 + blockIndex).toString(16)}`
    const { transactions } = (await ask('eth_getBlockByNumber', [number, true])) as { transactions: NodeTransaction[] }
    for (const shown of transactions) {
      dropped.push({ ...(await withBytes(ask, shown)), blockIndex, mayBeLost: isHeld(shown.hash) })
    }
  }
  return dropped
}

/** The transactions that wait for a block. */
async function readWaiting(ask: AskForResult): Promise<Waiting[]> {
  const content = (await ask('txpool_content', [])) as Record<string, Record<string, Record<string, NodeTransaction>>>
  const all = Object.values(content).flatMap((part) => Object.values(part).flatMap((account) => Object.values(account)))
  return Promise.all(all.map((shown) => withBytes(ask, shown)))
}

async function withBytes(ask: AskForResult, shown: NodeTransaction) {
  const { hash, from, nonce, r } = shown
  const raw = Number(r) === 0 ? undefined : ((await ask('eth_getRawTransactionByHash', [hash])) as string)
  return { shown, hash, from: from.toLowerCase(), nonce: Number(nonce), raw }
}

function wireOf({ raw, shown }: Dropped): unknown {
  if (raw !== undefined) return raw
  const { from, to, value, input, gas } = shown
  return { from, ...(to !== null && { to }), value, input, gas }
}

/** The pool says wrong things after a reorganisation: it gets everything again, from the lowest nonce up. */
async function refillPool(ask: AskForResult, waiting: readonly Waiting[]): Promise<void> {
  let missing = waiting.toSorted((left, right) => left.nonce - right.nonce)
  for (let round = 0; round < FUNDING_ROUNDS; round += 1) {
    missing = await refused(ask, missing)
    if (missing.length === 0) return
    // What funds them has to be in a block first.
    await ask('evm_mine', [])
  }
}

/** Sends all of them. @returns those whose account has too little yet */
async function refused(ask: AskForResult, waiting: readonly Waiting[]): Promise<Waiting[]> {
  const unfunded: Waiting[] = []
  for (const transaction of waiting) {
    if (transaction.raw === undefined) continue
    // Of the other refusals most say that it is on the new branch, or that another one took its nonce.
    await ask('eth_sendRawTransaction', [transaction.raw]).catch((error: unknown) => {
      if (/insufficient/i.test(String(error))) unfunded.push(transaction)
    })
  }
  return unfunded
}

function hashesOf({ included, pooled, lost }: BranchPlan<Dropped>): Omit<Reorganisation, 'blocks'> {
  const hashes = (list: readonly Dropped[]): string[] => list.map(({ hash }) => hash)
  return {
    included: hashes(included.map(({ transaction }) => transaction)),
    pooled: hashes(pooled),
    lost: hashes(lost),
  }
}
