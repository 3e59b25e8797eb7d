import { PublicKey } from '@solana/web3.js'
import { validationError } from '../../kernel/errors.js'
import type { Asset } from '../chain.js'
import { payerLacks } from '../payer-lacks.js'
import { readAccounts, type AccountState } from './account-states.js'
import { readLatestBlockhash } from './blockhash.js'
import type { SolanaClient } from './client.js'
import { estimateBudget, feeOf } from './compute-budget.js'
import { readRent } from './rent.js'
import { associatedTokenAddress, decodeTokenAccount, TOKEN_ACCOUNT_BYTES } from './token.js'
import {
  compileWire,
  mergeShares,
  paymentKey,
  paymentMemo,
  transferInstructions,
  type Share,
  type Transfer,
} from './transfer.js'
import { isUnspendable, UNSPENDABLE } from './unspendable.js'

/** An unsigned Solana transaction as the API hands it out; `serialized` is the base64 wire. */
export interface SolanaTransactionRequest {
  serialized: string
  recentBlockhash: string
  lastValidBlockHeight: number
  feePayer: string
  reference: string
}

/**
 * The unsigned transaction by which a payer pays several receivers exactly their shares, of a token or of SOL. It has run
 * without error on the present state before it is handed out.
 * @param input.symbol the asset's symbol, for the message where the payer has too little of it
 * @throws AppError `validation_error` on `payerWallet` where the payer has too little of the asset or of SOL, on
 *   `paymentId` where the receivers do not fit into one transaction or cannot hold the token;
 *   `broadcast_simulation_failed`, `provider_unavailable`, `provider_timeout`
 */
export async function buildTransfer(input: {
  client: SolanaClient
  from: string
  asset: Asset
  symbol: string
  shares: readonly Share[]
  paymentId: string
}): Promise<SolanaTransactionRequest> {
  const { client, from, asset, shares, paymentId } = input
  const transfer: Transfer = {
    from,
    asset,
    shares: mergeShares(shares),
    memo: paymentMemo(paymentId),
    reference: paymentKey(paymentId),
  }
  const [latest, needs] = await Promise.all([readLatestBlockhash(client), readNeeds(client, transfer, input.symbol)])
  try {
    const budget = await estimateBudget(client, transfer, latest.blockhash)
    if (needs.payerLamports < needs.spentLamports + feeOf(budget)) throw payerLacks('SOL balance for fees')
    const { bytes } = compileWire(transferInstructions(transfer, budget), from, latest.blockhash)
    return {
      serialized: Buffer.from(bytes).toString('base64'),
      recentBlockhash: latest.blockhash,
      lastValidBlockHeight: latest.lastValidBlockHeight,
      feePayer: from,
      reference: transfer.reference,
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw validationError([
      { field: 'paymentId', message: `has too many receivers for one transaction (${error.message})` },
    ])
  }
}

/** What the payer has, and what the transfer takes of it, but for the fee; in lamports. */
interface Needs {
  payerLamports: bigint
  spentLamports: bigint
}

async function readNeeds(client: SolanaClient, transfer: Transfer, symbol: string): Promise<Needs> {
  const { asset, shares } = transfer
  const wallets = shares.map(({ wallet }) => wallet)
  const total = shares.reduce((sum, { amount }) => sum + amount, 0n)
  if (asset.kind === 'native') {
    const [account, ...receivers] = await readAccounts(client, [transfer.from, ...wallets])
    const needs = { payerLamports: account?.lamports ?? 0n, spentLamports: total }
    refuseUnspendable(receivers, asset)
    if (needs.payerLamports < needs.spentLamports) throw payerLacks(`${symbol} balance`)
    return needs
  }
  const mint = new PublicKey(asset.address)
  const holdings = [transfer.from, ...wallets].map((wallet) =>
    associatedTokenAddress(new PublicKey(wallet), mint).toBase58(),
  )
  const accounts = await readAccounts(client, [transfer.from, ...wallets, ...holdings])
  const [payerAccount, ...receivers] = accounts.slice(0, 1 + wallets.length)
  const [source, ...destinations] = accounts.slice(1 + wallets.length)
  refuseUnspendable(receivers, asset)
  if (((source && decodeTokenAccount(source.data)?.amount) ?? 0n) < total) throw payerLacks(`${symbol} balance`)
  const missing = destinations.filter((account) => account === undefined).length
  const rent = await readRent(client, TOKEN_ACCOUNT_BYTES)
  const needs = { payerLamports: payerAccount?.lamports ?? 0n, spentLamports: BigInt(rent) * BigInt(missing) }
  // Without it the simulation would only say that some instruction failed.
  if (needs.payerLamports <= needs.spentLamports) throw payerLacks('SOL balance for fees')
  return needs
}

function refuseUnspendable(receivers: readonly (AccountState | undefined)[], asset: Asset): void {
  if (!receivers.some((account) => account && isUnspendable(account, asset))) return
  throw validationError([{ field: 'paymentId', message: `has a receiver that ${UNSPENDABLE}` }])
}
