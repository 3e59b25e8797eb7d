import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIFE_MS } from './identity-proof.js'

const NAME = 'identity-proof'

/**
 * Keeps a page's proof in the browser over a reload. No script reads it, no other site's page sends it, and no other link's page has it; in a
 * shop's frame a browser may not keep it, and the page alone has it then.
 * @param token of the link
 */
export function keepProof(reply: FastifyReply, token: string, proof: string, publicUrl: string): void {
  const rules = `Path=/pay/${token}; Max-Age=${LIFE_MS / 1_000}; HttpOnly; SameSite=Strict`
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  reply.header('set-cookie', `${NAME}=${proof}; ${rules}${secure}`)
}

/** @returns '' where none is kept */
export function keptProof({ headers }: FastifyRequest): string {
  return new RegExp(`(?:^|;\\s*)${NAME}=([^;]*)`).exec(headers.cookie ?? '')?.[1] ?? ''
}
