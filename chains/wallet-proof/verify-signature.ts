import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { isHex, recoverMessageAddress, size, type Hex } from 'viem'
import { verifyMessage } from 'viem/actions'
import type { EvmClient } from '../evm/client.js'
import { ask } from '../evm/rpc.js'
import { solanaKey, type Wallet } from './wallet.js'

/** A signature of a contract wallet may hold its deployment (EIP-6492), but not any amount of calldata. */
const EVM_SIGNATURE_MAX_BYTES = 16 * 1024

/**
 * Whether `signedBytes` is the wallet's signature of `message`.
 * EVM: 0x-hex; of the account itself (EIP-191), or of a contract wallet, deployed (EIP-1271) or not yet (EIP-6492), which
 * is asked on the chain of `evmClient`. Solana: base58 or base64 of 64 bytes, checked as strictly as RFC 8032.
 * @param evmClient the chain that the message names; undefined where the deployment has none
 * @throws AppError provider_unavailable or provider_timeout where a contract wallet could not be asked
 */
export async function isSignatureOf(
  wallet: Wallet,
  message: string,
  signedBytes: string,
  evmClient: EvmClient | undefined,
): Promise<boolean> {
  if (wallet.family === 'solana') return isSolanaSignature(wallet.address, message, signedBytes)
  const signature = signedBytes.trim()
  if (!isHex(signature) || signature.length % 2 !== 0 || size(signature) > EVM_SIGNATURE_MAX_BYTES) return false
  if (await isAccountSignature(wallet.address, message, signature)) return true
  if (!evmClient) return false
  // viem reports a node that is down like a signature that is wrong; only the second may be answered with "wrong".
  const { address } = wallet
  const verified = await verifyMessage(evmClient, { address, message, signature }).catch(() => false)
  if (!verified) await ask('build', () => evmClient.getChainId())
  return verified
}

async function isAccountSignature(address: string, message: string, signature: Hex): Promise<boolean> {
  if (size(signature) !== 65) return false
  return recoverMessageAddress({ message, signature }).then(
    (signer) => signer === address,
    () => false,
  )
}

function isSolanaSignature(address: string, message: string, signedBytes: string): boolean {
  const key = solanaKey(address)
  if (!key) return false
  const bytes = new TextEncoder().encode(message)
  return signatureForms(signedBytes.trim()).some((signature) =>
    // noble's default (ZIP 215) takes a signature of zeros for keys of small order.
    ed25519.verify(signature, bytes, key, { zip215: false }),
  )
}

/** What 64 bytes the text can be: a text without padding may be read both ways. */
function signatureForms(text: string): Uint8Array[] {
  if (text.length < 64 || text.length > 90) return []
  const base58 = bs58.decodeUnsafe(text)
  const base64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? new Uint8Array(Buffer.from(text, 'base64')) : undefined
  return [base58, base64].filter((bytes) => bytes !== undefined).filter((bytes) => bytes.length === 64)
}
