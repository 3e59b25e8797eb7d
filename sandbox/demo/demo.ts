import type { Address, Hex } from 'viem'
import type { WebhookReceiver } from './webhooks.js'

/** What the demo reads of `sandbox.json`. */
export interface SandboxDescription {
  rest_url: string
  api_key: string
  platform_key: string
  tenant_id: string
  public_client_id: string
  webhook_secret: string
  pix_url: string
  kyc_url: string
  mailbox_url: string
  chains: {
    polygon: {
      rpc_url: string
      chain_id: number
      tokens: Record<'USDT' | 'USDC', { address: Address; decimals: number }>
    }
    solana: { rpc_url: string; tokens: Record<'USDT' | 'USDC', { mint: string; decimals: number }> }
  }
  wallets: {
    evm: { address: Address; private_key: Hex }
    solana: { address: string; secret_key: readonly number[] }
  }
  receivers: { evm: [Address, Address]; solana: [string, string] }
}

/** What a run has to work with. */
export interface DemoContext {
  sandbox: SandboxDescription
  /** Calls a REST path with the demo tenant's key; throws where the answer is not a success. */
  call: (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => Promise<Record<string, unknown>>
  webhooks: WebhookReceiver
  /** Tells the person at the screen what happens. */
  say: (line: string) => void
}

/** One way to pay, shown from beginning to end; it throws where anything is not as it should be. */
export interface Demo {
  title: string
  /** By how many weeks it moves the sandbox's clock; by none where left out. */
  weeks?: number
  run: (context: DemoContext) => Promise<void>
}

/** Stops the demo with a sentence where something is not as it should be. */
export function expect(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(otherwise)
}
