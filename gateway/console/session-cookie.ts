import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { consoleCookieName, cookieHashOf, cookieTokenOf, sessionCookieName } from '../authentication/console-session.js'
import { hashOf } from '../operation.js'

/** A session ends after a week at most; accounts see to it, and the browser forgets it then. */
const LIFE_SECONDS = 7 * 86_400
/** As long as accounts keep the challenge of a passkey. */
const CHALLENGE_SECONDS = 5 * 60
/** As long as accounts know a browser after the last sign-in by code; each code that it asks for renews it. */
const BROWSER_SECONDS = 90 * 86_400
const TOKEN_BYTES = 32

/** A new token for a cookie, and what is kept of it. */
export function newToken(): { token: string; hash: string } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: hashOf(token) }
}

/** The cookie goes to pages of ours alone, and no script reads it. */
export function setSession(reply: FastifyReply, token: string, publicUrl: string): void {
  writeCookie(reply, sessionCookieName(publicUrl), token, LIFE_SECONDS, publicUrl)
}

export function clearSession(reply: FastifyReply, publicUrl: string): void {
  writeCookie(reply, sessionCookieName(publicUrl), '', 0, publicUrl)
}

/** Ties the challenge of a sign-in to the browser that asked for it: what another has signed is nothing to it. */
export function setChallenge(reply: FastifyReply, token: string, publicUrl: string): void {
  writeCookie(reply, challengeName(publicUrl), token, CHALLENGE_SECONDS, publicUrl)
}

export function clearChallenge(reply: FastifyReply, publicUrl: string): void {
  writeCookie(reply, challengeName(publicUrl), '', 0, publicUrl)
}

/** The SHA-256, hex, of what `setChallenge` has given the browser; undefined where it has nothing. */
export function challengeHashOf(request: FastifyRequest, publicUrl: string): string | undefined {
  return cookieHashOf(request, challengeName(publicUrl))
}

/**
 * Ties a code to the browser that asks for it: what others ask for or type takes nothing of its own, and where it has signed in before its
 * share of the e-mails is its own too. It opens nothing. A browser keeps the token that it has, for longer.
 * @returns its SHA-256, hex
 */
export function setBrowser(request: FastifyRequest, reply: FastifyReply, publicUrl: string): string {
  const token = cookieTokenOf(request, browserName(publicUrl)) ?? newToken().token
  writeCookie(reply, browserName(publicUrl), token, BROWSER_SECONDS, publicUrl)
  return hashOf(token)
}

/** The same of a browser that has asked before; undefined of any other. */
export function browserHashOf(request: FastifyRequest, publicUrl: string): string | undefined {
  return cookieHashOf(request, browserName(publicUrl))
}

function browserName(publicUrl: string): string {
  return consoleCookieName('console_browser', publicUrl)
}

function challengeName(publicUrl: string): string {
  return consoleCookieName('console_challenge', publicUrl)
}

function writeCookie(reply: FastifyReply, name: string, value: string, seconds: number, publicUrl: string): void {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const rules = `HttpOnly; SameSite=Strict; Path=/; Max-Age=${seconds}${secure}`
  reply.header('set-cookie', `${name}=${value}; ${rules}`)
}
