import type { Keypair } from '@solana/web3.js'
import { signWire } from './solana-side.js'
import type { Answer } from './http.js'
import { CREATE_TRANSACTION, type Shop, splitTo } from './rest-payments.js'

/** What `crypto_tx` holds of a Solana transaction. */
export interface SolanaTx {
  schema_version: number
  family: string
  chain_name: string
  serialized: string
  recent_blockhash: string
  last_valid_block_height: number
  fee_payer: string
  reference: string
  meta: { source: string }
}

/** The terms of a payment in USDC to receivers on Solana. */
export function solanaTerms(
  receivers: readonly string[],
  percents: readonly number[] = [100],
): Record<string, unknown> {
  return { to_chain: 'solana', to_currency_symbol: 'USDC', ...splitTo(receivers, percents) }
}

/** Asks for a payment's transaction with a Solana wallet and USDC, unless changed. */
export function createSolana(tenant: Shop, paymentId: string, payer: string, changes: object = {}): Promise<Answer> {
  const body = {
    payment_id: paymentId,
    transaction_type: 'crypto',
    payer_email: 'ana@example.com',
    payer_wallet: payer,
    chain_name: 'solana',
    payer_token_symbol: 'USDC',
    ...changes,
  }
  return tenant.post(CREATE_TRANSACTION, body)
}

/** A payment whose payer has signed with a Solana wallet. */
export async function signedSolanaPayment(
  tenant: Shop,
  payer: Keypair,
  terms: Record<string, unknown>,
): Promise<{ id: string; raw: string; built: SolanaTx }> {
  const id = await tenant.register(terms)
  const answer = await createSolana(tenant, id, payer.publicKey.toBase58())
  if (answer.status !== 201) throw new Error(`create transaction answered ${answer.text}`)
  const built = answer.body.data?.['crypto_tx'] as SolanaTx
  return { id, built, raw: signWire(payer, built.serialized) }
}
