import type { AccountMessage } from './serve.js'
import type { ChainAccount } from './svm.js'

/** What only a sandbox's chain can be told. */
export interface SolanaControl {
  advance: (seconds: number) => Promise<void>
  /** Replaces accounts as a whole; `data` is the account's bytes. */
  setAccounts: (accounts: readonly ChainAccount[]) => Promise<void>
  addProgram: (id: string, elf: Uint8Array) => Promise<void>
}

/** Half of what the server takes in one body, as base64 makes a byte longer. */
const BATCH_BYTES = 400_000

/**
 * Speaks to the control routes of the sandbox's Solana chain.
 * @throws Error where the chain refuses or does not answer within 10 s
 */
export function control(rpcUrl: string): SolanaControl {
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${rpcUrl}/sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`the sandbox's Solana chain refused ${path}: ${text.slice(0, 200)}`)
  }
  return {
    advance: (seconds) => post('advance', { seconds }),
    setAccounts: async (accounts) => {
      for (const batch of batches(accounts)) await post('accounts', { accounts: batch.map(toMessage) })
    },
    addProgram: (id, elf) => post('programs', { id, bytes: Buffer.from(elf).toString('base64') }),
  }
}

function toMessage({ address, lamports, owner, executable, data }: ChainAccount): AccountMessage {
  return { address, owner, executable, lamports: lamports.toString(), data: Buffer.from(data).toString('base64') }
}

function batches(accounts: readonly ChainAccount[]): ChainAccount[][] {
  const all: ChainAccount[][] = []
  let size = Infinity
  for (const account of accounts) {
    if (size + account.data.length > BATCH_BYTES) {
      all.push([])
      size = 0
    }
    all.at(-1)?.push(account)
    size += account.data.length + 200
  }
  return all
}
