import { WalletProblem } from './steps.js'

/** An account of a wallet of the Wallet Standard. */
export interface StandardAccount {
  address: string
  chains: readonly string[]
}

type Chain = `solana:${string}`

type Sign<Result> = (input: {
  account: StandardAccount
  chain: Chain
  transaction: Uint8Array
}) => Promise<readonly Result[]>

/** A wallet of the Wallet Standard, as far as it is used here. */
export interface StandardWallet {
  name: string
  icon: string
  chains: readonly string[]
  accounts: readonly StandardAccount[]
  features: {
    'standard:connect'?: { connect: () => Promise<{ accounts: readonly StandardAccount[] }> }
    'solana:signAndSendTransaction'?: { signAndSendTransaction: Sign<{ signature: Uint8Array }> }
    'solana:signTransaction'?: { signTransaction: Sign<{ signedTransaction: Uint8Array }> }
  }
}

/** What the server built for a Solana wallet. */
export interface SolanaOffer {
  family: 'solana'
  /** The unsigned wire, base64. */
  wire: string
  /** As the standard names clusters: `solana:mainnet`. */
  chain: Chain
}

/** What a wallet did: it sent the transaction, or it signed it and leaves the sending to us. Both base64. */
export type SolanaResult = { signature: string } | { signed: string }

/** Whether a wallet can be connected and can pay on Solana. */
export function isPayingWallet({ chains, features }: StandardWallet): boolean {
  const canSign = features['solana:signAndSendTransaction'] ?? features['solana:signTransaction']
  return features['standard:connect'] !== undefined && canSign !== undefined && chains.some(isSolana)
}

function isSolana(chain: string): boolean {
  return chain.startsWith('solana:')
}

/** The account that the payer chooses. Throws WalletProblem. */
export async function connectSolana(wallet: StandardWallet): Promise<StandardAccount> {
  const connected = await wallet.features['standard:connect']?.connect().catch(refuse)
  const account = (connected?.accounts ?? wallet.accounts).find(({ chains }) => chains.some(isSolana))
  if (!account) throw new WalletProblem('refused')
  return account
}

/** Has the wallet send, or else sign, what was built. Throws WalletProblem. */
export async function sendSolana(
  { features }: StandardWallet,
  account: StandardAccount,
  { wire, chain }: SolanaOffer,
): Promise<SolanaResult> {
  const transaction = Uint8Array.from(atob(wire), (character) => character.charCodeAt(0))
  const input = { account, chain, transaction }
  const sender = features['solana:signAndSendTransaction']
  if (sender) {
    const [sent] = await sender.signAndSendTransaction(input).catch(refuse)
    if (!sent) throw new WalletProblem('failed')
    return { signature: base64(sent.signature) }
  }
  const [result] = (await features['solana:signTransaction']?.signTransaction(input).catch(refuse)) ?? []
  if (!result) throw new WalletProblem('failed')
  return { signed: base64(result.signedTransaction) }
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Wallets of the standard have no common codes; most say that their user said no. */
function refuse(error: unknown): never {
  const { code, message = '' } = (error ?? {}) as { code?: number; message?: string }
  throw new WalletProblem(code === 4001 || /reject|denied|declin|cancel/i.test(message) ? 'refused' : 'failed')
}
