import { hexToBigInt, isAddressEqual, slice, type Address, type Hex } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import { z } from 'zod'
import { createHttpClient, type HttpClient } from '../../kernel/http.js'
import { protocolError } from '../../kernel/provider-error.js'
import type { Signer } from '../evm/signer.js'
import { signElsewhere, type EcdsaSignature } from './evm-signature.js'
import type { Web3SignerLocation } from './parse-signer.js'
import { askSigner, SIGNER_TIMEOUT_MS, type SignerAccess } from './signer-failure.js'

const PROVIDER = 'web3signer'
/** r, s and v; which v it is follows from the account. */
const SIGNATURE = /^0x[0-9a-f]{130}$/i
/** Web3Signer names a key by its point without the prefix 04 of uncompressed points; with it the key is the same. */
const PUBLIC_KEYS = z.array(z.string()).transform((keys) => keys.filter((key) => /^0x(04)?[0-9a-f]{128}$/i.test(key)))

/**
 * An account whose key is in a Web3Signer (`eth1` mode), over its REST API: it signs the keccak256 of the bytes that it
 * gets, on whatever chain. Its JSON-RPC is of no use here: `eth_sign` puts a prefix before the bytes, and
 * `eth_signTransaction` signs for the one chain that it was started for.
 * @throws AppError (each signature) `provider_unavailable`, `provider_timeout`
 */
export function web3Signer(
  { url, authorization, address }: Web3SignerLocation,
  { log, timeoutMs = SIGNER_TIMEOUT_MS }: SignerAccess,
): Signer {
  const http = createHttpClient({
    provider: PROVIDER,
    baseUrl: url,
    timeoutMs,
    log,
    ...(authorization !== undefined && { headers: { authorization } }),
  })
  let publicKey: Hex | undefined
  return {
    address,
    signTransaction: (transaction) =>
      askSigner(async () => {
        const key = (publicKey ??= await findPublicKey(http, address))
        return signElsewhere(PROVIDER, address, transaction, (unsigned) => sign(http, key, unsigned))
      }),
  }
}

async function findPublicKey(http: HttpClient, address: Address): Promise<Hex> {
  const { body } = await http.request({ method: 'GET', path: '/api/v1/eth1/publicKeys', idempotent: true })
  const keys = PUBLIC_KEYS.safeParse(body).data ?? []
  const found = keys.find((key) => isAddressEqual(publicKeyToAddress(`0x04${key.slice(-128)}`), address))
  if (found === undefined) throw protocolError(PROVIDER, `${PROVIDER} has no key of the account`)
  return found as Hex
}

async function sign(http: HttpClient, publicKey: Hex, data: Hex): Promise<EcdsaSignature> {
  const path = `/api/v1/eth1/sign/${publicKey}`
  // The same bytes give a signature of the same transaction however often they are sent.
  const { body } = await http.request({ method: 'POST', path, body: { data }, idempotent: true, isText: true })
  const signature = String(body).trim()
  if (!SIGNATURE.test(signature)) throw protocolError(PROVIDER, `${PROVIDER} sent no signature`)
  return { r: hexToBigInt(slice(signature as Hex, 0, 32)), s: hexToBigInt(slice(signature as Hex, 32, 64)) }
}
