import { json } from 'node:stream/consumers'
import { isHex, keccak256, type Hex } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { serve } from './serve.js'

/** What a stand-in answers in place of a signature; `hang` is no answer at all. */
export type SignerFault = { status: number; body: string } | 'hang'

/** A Web3Signer in `eth1` mode with one key, as far as it is used. */
export interface Web3SignerStandIn {
  url: string
  /** What was asked for: method and path. */
  requests: string[]
  /** How often it was asked for a signature and failed as told. */
  failures: number
  /** The next signatures are answered so, until it is taken away. */
  fault: SignerFault | undefined
}

/**
 * Starts it. It hashes what it gets and signs that, as the real one does, and knows its key by its public key only.
 * @param authorization the header that a proxy before it asks for
 */
export async function startWeb3Signer(privateKey: Hex, authorization?: string): Promise<Web3SignerStandIn> {
  const { publicKey } = privateKeyToAccount(privateKey)
  const identifier: Hex = `0x${publicKey.slice(4)}`
  const standIn: Web3SignerStandIn = { url: '', requests: [], failures: 0, fault: undefined }
  const { url } = await serve((request, response) => {
    void (async () => {
      const path = request.url ?? ''
      standIn.requests.push(`${request.method} ${path}`)
      const end = (status: number, type: string, body: string): void => {
        response.writeHead(status, { 'content-type': type }).end(body)
      }
      const text = (status: number, body = ''): void => end(status, 'text/plain; charset=utf-8', body)
      if (authorization !== undefined && request.headers.authorization !== authorization) return text(401)
      if (request.method === 'GET' && path === '/api/v1/eth1/publicKeys') {
        return end(200, 'application/json', JSON.stringify([`0x${'11'.repeat(64)}`, identifier]))
      }
      const [, asked] = /^\/api\/v1\/eth1\/sign\/(?:0x)?([0-9a-f]+)$/i.exec(path) ?? []
      if (request.method !== 'POST' || `0x${asked}`.toLowerCase() !== identifier) return text(404)
      if (standIn.fault) standIn.failures += 1
      if (standIn.fault === 'hang') return
      if (standIn.fault) return text(standIn.fault.status, standIn.fault.body)
      const { data } = (await json(request)) as { data?: unknown }
      if (request.headers['content-type'] !== 'application/json' || !isHex(data) || data === '0x') return text(400)
      text(200, await sign({ hash: keccak256(data), privateKey, to: 'hex' }))
    })()
  })
  standIn.url = url
  return standIn
}
