import { setTimeout as delay } from 'node:timers/promises'
import {
  createTransferInstruction,
  createAssociatedTokenAccountIdempotentInstruction,
  getAssociatedTokenAddressSync,
} from '@solana/spl-token'
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import bs58 from 'bs58'
import type { HarnessView } from '../view.js'

/** Wallets with money on Solana; several flows may use one at once, as there are no nonces. */
export interface SolanaPurse {
  /** The wallet of this number, funded when it is first wanted. */
  wallet: (number: number) => Promise<Keypair>
  /** Sends a signed wire past the product, as wallets do. @returns whether the node has taken it */
  broadcast: (wire: Uint8Array) => Promise<boolean>
}

/** The sandbox's payer has 1,000 SOL and a million of each token: enough for 250 wallets, which is some 25 seeds. */
const LAMPORTS = 4_000_000_000
const TOKENS_EACH = 4_000n
const TRIES_MAX = 20

/** Opens the purse of the chain. */
export function openSolanaPurse({ chains: { solana }, funds }: HarnessView): SolanaPurse {
  const connection = new Connection(solana.rpcUrl, { commitment: 'confirmed', disableRetryOnRateLimit: true })
  const source = Keypair.fromSecretKey(Uint8Array.from(funds.solanaSecretKey))
  const wallets = new Map<number, Promise<Keypair>>()

  async function fund(owner: PublicKey): Promise<void> {
    const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
    const transaction = new Transaction({ feePayer: source.publicKey, blockhash, lastValidBlockHeight })
    transaction.add(SystemProgram.transfer({ fromPubkey: source.publicKey, toPubkey: owner, lamports: LAMPORTS }))
    for (const { address, decimals } of Object.values(solana.tokens)) {
      const mint = new PublicKey(address)
      const account = getAssociatedTokenAddressSync(mint, owner)
      const from = getAssociatedTokenAddressSync(mint, source.publicKey)
      transaction.add(
        createAssociatedTokenAccountIdempotentInstruction(source.publicKey, account, owner, mint),
        createTransferInstruction(from, account, source.publicKey, TOKENS_EACH * 10n ** BigInt(decimals)),
      )
    }
    transaction.sign(source)
    const signature = await connection.sendRawTransaction(transaction.serialize())
    for (let tried = 0; tried < TRIES_MAX * 5; tried += 1) {
      const { value } = await connection.getSignatureStatuses([signature])
      if (value[0]?.err) throw new Error(`a wallet could not be funded: ${JSON.stringify(value[0].err)}`)
      if (value[0]) return
      await delay(200)
    }
    throw new Error('a wallet could not be funded in time')
  }

  async function open(): Promise<Keypair> {
    const keypair = Keypair.generate()
    for (let tried = 1; ; tried += 1) {
      try {
        await fund(keypair.publicKey)
        return keypair
      } catch (error) {
        if (tried >= TRIES_MAX) throw error
        await delay(500)
      }
    }
  }

  return {
    wallet: (number) => {
      const known = wallets.get(number) ?? open()
      wallets.set(number, known)
      return known
    },
    broadcast: (wire) =>
      connection.sendRawTransaction(wire, { skipPreflight: true }).then(
        () => true,
        () => false,
      ),
  }
}

/** Signs an unsigned wire of the legacy format. @returns the signed one and its signature, base58 */
export function signSolana(keypair: Keypair, serialized: string): { wire: Buffer; signature: string } {
  const transaction = Transaction.from(Buffer.from(serialized, 'base64'))
  transaction.partialSign(keypair)
  return { wire: transaction.serialize(), signature: bs58.encode(transaction.signature ?? new Uint8Array(64)) }
}

/** An address that nobody has paid before. */
export function newSolanaAddress(): string {
  return Keypair.generate().publicKey.toBase58()
}
