import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { hashOfToken, sessionCookieName } from '../authentication/console-session.js'

/** A session ends after a week at most; accounts see to it, and the browser forgets it then. */
const LIFE_SECONDS = 7 * 86_400
const TOKEN_BYTES = 32

/** A new token for a cookie, and what is kept of it. */
export function newToken(): { token: string; hash: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: hashOfToken(token) }
}

/** The cookie goes to pages of ours alone, and no script reads it. */
export function setSession(reply: FastifyReply, token: string, publicUrl: string): void {
  writeCookie(reply, token, LIFE_SECONDS, publicUrl)
}

export function clearSession(reply: FastifyReply, publicUrl: string): void {
  writeCookie(reply, '', 0, publicUrl)
}

function writeCookie(reply: FastifyReply, value: string, seconds: number, publicUrl: string): void {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const rules = `HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${secure}`
  reply.header('set-cookie', `${sessionCookieName(publicUrl)}=${value}; ${rules}`)
}
