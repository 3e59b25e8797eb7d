import { createHmac } from 'node:crypto'
import { Keypair, PublicKey, SystemProgram, Transaction, type TransactionInstruction } from '@solana/web3.js'
import type { SolanaChain } from '../../chains/chain.js'
import { createSolanaClient } from '../../chains/solana/client.js'
import {
  associatedTokenAddress,
  createAssociatedTokenAccountIdempotent,
  memo,
  transferChecked,
} from '../../chains/solana/token.js'
import { equalTexts } from '../../kernel/equal-texts.js'
import { SELLER_SEED } from '../solana/seed.js'
import type { LifiToken } from './wire.js'

/** Who sells on the sandbox's Solana: it signs swaps beforehand, and takes what is to cross the bridge. */
export const SELLER = Keypair.fromSeed(SELLER_SEED)

/** What was agreed. Amounts are base units; addresses as their chains write them. */
export interface Deal {
  id: string
  fromToken: LifiToken
  fromAmount: bigint
  toToken: LifiToken
  toAmount: bigint
  from: string
  to: string
}

/**
 * The transaction by which a payer on Solana takes a deal, base64, complete but for the payer's signature. On the same chain
 * the seller pays in it, so that both happen or none; to another chain it says in its memo what is to be paid there.
 */
export async function sellOnSolana(chain: SolanaChain, deal: Deal): Promise<string> {
  const { connection } = createSolanaClient(chain)
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash('confirmed')
  const payer = new PublicKey(deal.from)
  const isHere = deal.toToken.chainId === deal.fromToken.chainId
  const transaction = new Transaction({ feePayer: payer, blockhash, lastValidBlockHeight })
  transaction.add(...pay(payer, SELLER.publicKey, deal.fromToken, deal.fromAmount, payer))
  if (isHere) transaction.add(...pay(SELLER.publicKey, new PublicKey(deal.to), deal.toToken, deal.toAmount, payer))
  transaction.add(memo(sealDeal(deal)))
  if (isHere) transaction.partialSign(SELLER)
  return transaction.serialize({ requireAllSignatures: false, verifySignatures: false }).toString('base64')
}

function pay(
  from: PublicKey,
  to: PublicKey,
  token: LifiToken,
  amount: bigint,
  feePayer: PublicKey,
): TransactionInstruction[] {
  if (token.address === PublicKey.default.toBase58()) {
    return [SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports: amount })]
  }
  const mint = new PublicKey(token.address)
  return [
    createAssociatedTokenAccountIdempotent({ payer: feePayer, owner: to, mint }),
    transferChecked({
      source: associatedTokenAddress(from, mint),
      mint,
      destination: associatedTokenAddress(to, mint),
      owner: from,
      amount,
      decimals: token.decimals,
    }),
  ]
}

/** A deal as the memo holds it: with a seal, so that nobody writes one for himself. Nothing has to be kept beside the chain. */
function sealDeal({ id, fromToken, toToken, fromAmount, toAmount, to }: Deal): string {
  const terms = [id, fromToken.symbol, fromAmount, toToken.chainId, toToken.symbol, toAmount, to].join(' ')
  return `${terms} ${sealOf(terms)}`
}

/** What a memo agrees on: the tokens by their symbols. */
export interface SealedDeal {
  id: string
  fromSymbol: string
  fromAmount: bigint
  toChainId: number
  toSymbol: string
  toAmount: bigint
  to: string
}

/** Reads a memo. @returns undefined where it is none of ours */
export function readDeal(text: string): SealedDeal | undefined {
  const words = text.split(' ')
  const seal = words.pop() ?? ''
  if (!equalTexts(seal, sealOf(words.join(' ')))) return undefined
  const [id = '', fromSymbol = '', fromAmount = '0', toChainId = '0', toSymbol = '', toAmount = '0', to = ''] = words
  return {
    ...{ id, fromSymbol, toSymbol, to },
    fromAmount: BigInt(fromAmount),
    toChainId: Number(toChainId),
    toAmount: BigInt(toAmount),
  }
}

function sealOf(terms: string): string {
  return createHmac('sha256', SELLER_SEED).update(terms).digest('base64url').slice(0, 22)
}
