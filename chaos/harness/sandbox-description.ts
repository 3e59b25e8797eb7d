import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TokenViews } from '../view.js'

/** What the harness takes from a sandbox's own description of itself. */
export interface SandboxDescription {
  pix_url: string
  card_url: string
  kyc_url: string
  mailbox_url: string
  chains: {
    polygon: { rpc_url: string; chain_id: number; tokens: TokenViews }
    solana: { rpc_url: string; tokens: Record<string, { mint: string; decimals: number }> }
  }
  wallets: { evm: { private_key: `0x${string}` }; solana: { secret_key: number[] } }
}

/** Reads `sandbox.json`. @param dataDir the sandbox's folder */
export async function readDescription(dataDir: string): Promise<SandboxDescription> {
  return JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8')) as SandboxDescription
}
