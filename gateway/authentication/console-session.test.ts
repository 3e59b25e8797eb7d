import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { consoleKeyOf, sessionCookieName } from './console-session.js'
import { hashOf } from '../operation.js'

const TOKEN = 'a'.repeat(43)
const HTTPS = 'https://pay.example'
const HTTP = 'http://127.0.0.1:3000'

/** A request of the console's page, with a cookie of that name. */
const requestWith = (name: string, headers: Record<string, string> = {}): FastifyRequest =>
  ({
    method: 'POST',
    headers: { 'x-console': '1', cookie: `${name}=${TOKEN}`, ...headers },
  }) as unknown as FastifyRequest

describe('the cookie of a session', () => {
  it('has over https the name that no sibling host can plant, and counts under no other', () => {
    expect([HTTPS, HTTP].map(sessionCookieName)).toEqual(['__Host-console_session', 'console_session'])
    expect(consoleKeyOf(HTTPS)(requestWith('__Host-console_session'))).toBe(`session:${hashOf(TOKEN)}`)
    expect(consoleKeyOf(HTTPS)(requestWith('console_session'))).toBeUndefined()
    expect(consoleKeyOf(HTTP)(requestWith('console_session'))).toBe(`session:${hashOf(TOKEN)}`)
  })

  it('is looked up apart for what no person does', () => {
    const keyOf = consoleKeyOf(HTTP)
    const watched = `watch:${hashOf(TOKEN)}`
    expect(keyOf(requestWith('console_session', { 'x-console': 'live' }))).toBe(watched)
    expect(keyOf(requestWith('console_session', { accept: 'text/event-stream' }))).toBe(watched)
    expect(keyOf(requestWith('console_session', { 'x-console': '0' }))).toBeUndefined()
  })

  it('is renewed by what a person does, whose page would take a stream as well', () => {
    const accept = 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed'
    expect(consoleKeyOf(HTTP)(requestWith('console_session', { accept }))).toBe(`session:${hashOf(TOKEN)}`)
  })

  it('is looked up apart for each tenant that a tab shows, and for what names none', () => {
    const shownAs = (tenant: string) =>
      consoleKeyOf(HTTP)(requestWith('console_session', { 'x-console-tenant': tenant }))?.split(':')[2]
    expect(shownAs('ctenant')).toBe('ctenant')
    expect(shownAs('deployment')).toBe('deployment')
    expect(['', 'a:b', 'a b', 'c'.repeat(65), 'ctenant, cother'].map(shownAs)).toEqual(['', '', '', '', ''])
  })
})
