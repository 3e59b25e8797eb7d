import { Keypair, PublicKey, Transaction, type TransactionInstruction } from '@solana/web3.js'
import { control, type SolanaControl } from '../../sandbox/solana/control.js'
import { holding, holdingAddress, SOLANA_TOKENS, wallet } from '../../sandbox/solana/seed.js'
import { createSolanaClient, type SolanaClient } from '../../chains/solana/client.js'

/** A sandbox's Solana from a payer's and a receiver's side. */
export interface SolanaSide {
  client: SolanaClient
  control: SolanaControl
}

/** Opens a chain's side at its own address. */
export function solanaSide(rpcUrl: string): SolanaSide {
  return { client: createSolanaClient({ rpcUrl, commitment: 'confirmed' }), control: control(rpcUrl) }
}

/** An address that nobody used before. */
export function freshAddress(): string {
  return Keypair.generate().publicKey.toBase58()
}

/** A wallet with exactly this much; tokens in base units, `more` by their mints. */
export async function fund(
  { control: controls }: Pick<SolanaSide, 'control'>,
  {
    lamports = 10_000_000_000n,
    usdc = 1_000_000_000n,
    more = {},
  }: { lamports?: bigint; usdc?: bigint; more?: Record<string, bigint> } = {},
): Promise<Keypair> {
  const keypair = Keypair.generate()
  const owner = keypair.publicKey.toBase58()
  const amounts = Object.entries({ [SOLANA_TOKENS.USDC.mint]: usdc, ...more })
  await controls.setAccounts([
    ...(lamports > 0n ? [wallet(owner, lamports)] : []),
    ...amounts.map(([mint, amount]) => holding(holdingAddress(owner, mint), { owner, mint, amount })),
  ])
  return keypair
}

/** How much of a token a wallet holds, in base units. */
export async function balanceOf(
  { client }: SolanaSide,
  owner: string,
  mint: string = SOLANA_TOKENS.USDC.mint,
): Promise<bigint> {
  const account = new PublicKey(holdingAddress(owner, mint))
  if (!(await client.connection.getAccountInfo(account))) return 0n
  return BigInt((await client.connection.getTokenAccountBalance(account)).value.amount)
}

/** Signs a built wire as a wallet does, with instructions changed where a wallet or a thief would. */
export function signWire(
  signer: Keypair,
  serialized: string,
  change: (instructions: TransactionInstruction[]) => TransactionInstruction[] = (instructions) => instructions,
): string {
  const transaction = Transaction.from(Buffer.from(serialized, 'base64'))
  transaction.instructions = change(transaction.instructions)
  transaction.sign(signer)
  return transaction.serialize().toString('base64')
}
